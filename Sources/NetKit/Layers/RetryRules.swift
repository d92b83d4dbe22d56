package import Foundation
package import NetKitSupport

/// The failure of an attempt, as far as it matters for retries.
package enum AttemptFailure: Equatable, Sendable {
    case transport(TransportError.Kind)
    case idleTimeout
    /// A response other than 2xx, with the delay that its `Retry-After` asks for.
    case status(HTTPStatus, retryAfter: Duration?)
}

/// A pure value that decides whether to retry a failed attempt.
package struct RetryRules: Sendable {
    var policy: RetryPolicy
    /// The count of `retryOnFail`, which gives consent for any method, or nil if not given.
    var consent: Int?

    package init(policy: RetryPolicy, consent: Int?) {
        self.policy = policy
        self.consent = consent
    }

    /// Decides about a failure.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - method: The request's method.
    ///   - hasIdempotencyKey: Whether the request has an idempotency key.
    ///   - retries: The number of retries so far.
    ///   - random: The position of the jitter, from 0 to 1.
    /// - Returns: A retry after a delay, or a stop.
    package func decide(
        _ failure: AttemptFailure,
        method: HTTPMethod,
        hasIdempotencyKey: Bool,
        retries: Int,
        random: Double
    ) -> AttemptTrace.Next {
        guard isTransient(failure) else { return .stop(.notTransient) }
        guard consent != nil || hasIdempotencyKey || policy.repeats(method) else {
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

extension RetryAfter {
    /// Returns the delay that a response asks for, or nil if it asks for none.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - now: The current date.
    /// - Returns: The delay, which isn't negative.
    package static func delay(of head: ResponseHead, now: Date) -> Duration? {
        delay(status: head.status.rawValue, now: now) { head.headers[HTTPHeaderName($0)] }
    }
}
