package import Foundation

/// The failure of an attempt, as far as it matters for retries.
enum AttemptFailure: Equatable, Sendable {
    case transport(TransportError.Kind)
    case idleTimeout
    /// A response other than 2xx, with the delay that its `Retry-After` asks for.
    case status(HTTPStatus, retryAfter: Duration?)
}

/// A pure value that decides whether to retry a failed attempt.
struct RetryRules: Sendable {
    var policy: RetryPolicy
    /// The count of `retryOnFail`, which gives consent for any method, or nil if not given.
    var consent: Int?

    /// Decides about a failure.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - method: The request's method.
    ///   - hasIdempotencyKey: Whether the request has an idempotency key.
    ///   - retries: The number of retries so far.
    ///   - random: The position of the jitter, from 0 to 1.
    /// - Returns: A retry after a delay, or a stop.
    func decide(
        _ failure: AttemptFailure,
        method: HTTPMethod,
        hasIdempotencyKey: Bool,
        retries: Int,
        random: Double
    ) -> AttemptTrace.Next {
        guard isTransient(failure) else { return .stop(.notTransient) }
        guard consent != nil || hasIdempotencyKey || policy.methods.contains(method) else {
            return .stop(.notRepeatable(method))
        }
        let allowed = consent ?? policy.maximumRetries
        guard retries < allowed else { return .stop(.retriesExhausted(allowed)) }
        let delay = policy.backoff.delay(beforeRetry: retries + 1, random: random)
        guard case .status(_, let retryAfter?) = failure else { return .retry(after: delay) }
        guard retryAfter <= policy.maximumRetryAfter else {
            return .stop(.retryAfterTooLong(retryAfter))
        }
        return .retry(after: max(delay, retryAfter))
    }

    private func isTransient(_ failure: AttemptFailure) -> Bool {
        switch failure {
        case .idleTimeout: true
        case .status(let status, _): policy.statuses.contains(status)
        case .transport(let kind): kind.isTransient
        }
    }
}

/// Parses the delay that a server asks for.
package enum RetryAfter {
    /// Returns the delay that a response asks for, or nil if it asks for none.
    ///
    /// It reads `Retry-After`, or else the fields that rate limiters send with a 429. Dates are relative to the
    /// response's own `Date`, because the clocks of client and server may differ.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - now: The current date. Defaults to the system's.
    /// - Returns: The delay, which isn't negative.
    static func delay(of head: ResponseHead, now: Date = Date()) -> Duration? {
        let date = head.headers[.date].flatMap { HTTPDate.parse($0) } ?? now
        if let text = head.headers[.retryAfter], let delay = delay(text, now: date) { return delay }
        guard head.status == 429 else { return nil }
        for name in resets {
            guard let text = head.headers[name], let delay = reset(text, now: date) else {
                continue
            }
            return delay
        }
        return head.headers["RateLimit"].flatMap { rateLimit($0) }
    }

    /// Parses a `Retry-After` value (RFC 9110, section 10.2.3).
    ///
    /// - Parameters:
    ///   - text: The field value: seconds or a date.
    ///   - now: The current date. Defaults to the system's.
    /// - Returns: The delay, which isn't negative, or nil if the value is invalid.
    package static func delay(_ text: String, now: Date = Date()) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if isNumber(text[...]) { return .seconds(Int64(text) ?? .max / 4) }
        guard let date = HTTPDate.parse(text) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)).rounded(.up))
    }

    /// Common nonstandard fields, in seconds from now or as a Unix time.
    private static let resets: [HTTPHeaderName] = [
        "RateLimit-Reset", "X-RateLimit-Retry-After", "X-RateLimit-Reset-After",
        "X-RateLimit-Reset",
        "X-Rate-Limit-Reset",
    ]

    private static func reset(_ text: String, now: Date) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard let seconds = Double(text), seconds >= 0, seconds < 1e15 else { return nil }
        // A number above 15 years must be a Unix time.
        let wait = seconds > 5e8 ? max(0, seconds - now.timeIntervalSince1970) : seconds
        return .seconds(wait.rounded(.up))
    }

    /// Parses the `t` of `"default";r=0;t=30`, the draft form of `RateLimit`.
    private static func rateLimit(_ text: String) -> Duration? {
        for parameter in text.split(separator: ";") {
            let parts = parameter.split(separator: "=")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0] == "t", isNumber(parts[1][...]) else { continue }
            return Int64(parts[1]).map { .seconds($0) }
        }
        return nil
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
