/// How one attempt failed, as far as trying again is concerned.
enum AttemptFailure: Equatable, Sendable {
    case transport(TransportError.Kind)
    case idleTimeout
    /// A response outside 2xx, with the seconds its `Retry-After` asks for.
    case status(HTTPStatus, retryAfter: Duration?)
}

/// Whether to try again.
enum RetryDecision: Equatable, Sendable {
    case retry(after: Duration)
    case stop(RetryRefusal)
}

/// Decides whether a failed attempt is tried again; pure, so that every case is a test.
struct RetryRules: Sendable {
    var policy: RetryPolicy
    /// The count of `retryOnFail`, which is also consent to repeat any method; nil if not given.
    var consent: Int?

    /// Decides about one failure.
    ///
    /// - Parameters:
    ///   - failure: What happened.
    ///   - method: The request's method.
    ///   - hasIdempotencyKey: Whether the server can tell a repetition from a new request.
    ///   - retries: How many retries there were already.
    ///   - random: Where between 0 and 1 the jitter falls.
    /// - Returns: Whether to try again, and when.
    func decide(
        _ failure: AttemptFailure,
        method: HTTPMethod,
        hasIdempotencyKey: Bool,
        retries: Int,
        random: Double
    ) -> RetryDecision {
        guard isTransient(failure) else { return .stop(.notTransient) }
        guard consent != nil || hasIdempotencyKey || policy.methods.contains(method) else {
            return .stop(.notRepeatable(method))
        }
        let allowed = consent ?? policy.maximumRetries
        guard retries < allowed else { return .stop(.usedUp(allowed)) }
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
