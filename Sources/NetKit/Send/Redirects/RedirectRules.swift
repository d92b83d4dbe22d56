import Foundation

/// What to do with a response that may point elsewhere.
enum RedirectDecision: Sendable {
    /// It is the call's response.
    case deliver
    /// Send this next.
    case follow(EncodedRequest)
    /// The call ends here.
    case fail(TransportError)
}

/// The rules of RFC 9110, section 15.4, and the guards of ``RedirectPolicy``.
enum RedirectRules {
    /// Decides what follows a response.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - request: The request it answers.
    ///   - policy: Whether and how often redirects are followed.
    ///   - followed: How many redirects this call has followed already.
    /// - Returns: What to do.
    static func decide(
        _ head: ResponseHead,
        after request: EncodedRequest,
        policy: RedirectPolicy,
        followed: Int
    ) -> RedirectDecision {
        guard let maximum = policy.maximum, isRedirect(head.status),
            let location = head.headers[.location],
            let target = RedirectTarget.resolve(location, against: request.url)
        else { return .deliver }
        guard let from = Origin(request.url), let to = Origin(target),
            !(from.scheme == "https" && to.scheme == "http")
        else { return .fail(TransportError(.unsafeRedirect)) }
        guard followed < maximum else { return .fail(TransportError(.tooManyRedirects)) }

        var next = request
        next.url = target
        if changesToGet(head.status, request.method) {
            if request.method != .head { next.method = .get }
            next.body = nil
            for name in contentFields { next.headers.remove(name) }
        }
        if from != to {
            next.headers = next.headers.withoutCredentials(hiding: request.redaction.headers)
            next.headers.remove(.host)
        }
        return .follow(next)
    }

    private static func isRedirect(_ status: HTTPStatus) -> Bool {
        switch status.rawValue {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    private static func changesToGet(_ status: HTTPStatus, _ method: HTTPMethod) -> Bool {
        switch status.rawValue {
        case 303: method != .get
        case 301, 302: method == .post
        default: false
        }
    }

    /// The fields that describe a body and leave with it (RFC 9110, section 15.4).
    static let contentFields: [HTTPHeaderName] = [
        .contentType, .contentEncoding, .contentLanguage, .contentLocation, "Content-Disposition",
        "Content-Digest", "Repr-Digest", "Digest", "Idempotency-Key",
    ]
}
