import Foundation
import NetKitSupport

/// The decision about a response that may be a redirect.
enum RedirectDecision: Sendable {
    /// Deliver the response to the call.
    case deliver
    /// Send this request next.
    case follow(EncodedRequest)
    /// Fail the call with this error.
    case fail(TransportError)
}

/// The redirect rules of RFC 9110, section 15.4, with the limits of ``RedirectPolicy``.
enum RedirectRules {
    /// Decides what follows a response.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - request: The request of the response.
    ///   - policy: The redirect policy.
    ///   - followed: The number of redirects that the call has followed.
    /// - Returns: The decision.
    static func decide(
        _ head: ResponseHead,
        after request: EncodedRequest,
        policy: RedirectPolicy,
        followed: Int
    ) -> RedirectDecision {
        guard let maximum = policy.maximum, RedirectTarget.isRedirect(head.status.rawValue),
            let location = head.headers.values(for: .location).first,
            !RedirectTarget.isBlank(location)
        else { return .deliver }
        guard let target = RedirectTarget.resolve(location, against: request.url) else {
            let refusal = InvalidRequest(.invalidURL(""), "the Location is no URL")
            return refuse(head.status, "its Location is no URL", refusal)
        }
        guard let from = request.origin, let to = Origin(target) else {
            return refuse(head.status, to: target)
        }
        guard policy.allows(request.url, target) else { return .deliver }
        guard from.scheme == "http" || to.scheme == "https" else {
            return refuse(head.status, "to \(RedactedURL(target)): it leaves https")
        }
        guard followed < maximum else { return .fail(TransportError(.tooManyRedirects)) }

        var next = request
        next.redirect(to: target)
        if RedirectTarget.changesToGet(head.status.rawValue, request.method.rawValue) {
            if request.method != .head { next.method = .get }
            next.removeBody()
        }
        if from != to { next.removeCredentials() }
        return .follow(next)
    }

    /// Fails because the redirect's URL can't be requested.
    private static func refuse(_ status: HTTPStatus, to target: URL) -> RedirectDecision {
        let refused = RefusedAddress(target)
        let isHTTP = ["http", "https"].contains(target.scheme?.lowercased())
        let problem =
            isHTTP
            ? Origin.problem(of: target) ?? "it is no URL of a host"
            : "only http and https are followed"
        let place = refused.shown.isEmpty ? "" : "to \(refused.shown): "
        return refuse(status, place + problem, InvalidRequest(refused))
    }

    /// Fails with what is wrong with a redirect.
    private static func refuse(
        _ status: HTTPStatus,
        _ problem: String,
        _ underlying: InvalidRequest? = nil
    ) -> RedirectDecision {
        let separator = problem.hasPrefix("to ") ? " " : ": "
        let reason = "(\(status.rawValue))\(separator)\(problem)"
        return .fail(TransportError(.unsafeRedirect, underlying: underlying, reason: reason))
    }

    /// The fields that describe a body and are removed with it (RFC 9110, section 15.4).
    fileprivate static let contentFields: [HTTPHeaderName] = [
        .contentType, .contentEncoding, .contentLanguage, .contentLocation, "Content-Disposition",
        "Content-Digest", "Content-MD5", "Content-Range", "Repr-Digest", "Digest", "Expect",
        "Idempotency-Key", "Last-Modified",
    ]
}

extension EncodedRequest {
    /// Removes the body and the fields that describe it.
    package mutating func removeBody() {
        body = nil
        for name in RedirectRules.contentFields { headers.remove(name) }
    }

    /// Removes the fields that are only for the request's own origin.
    package mutating func removeCredentials() {
        headers = headers.withoutCredentials(hiding: redaction.headers)
        headers.remove("Host")
    }
}
