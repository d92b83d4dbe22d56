/// A reason why a failed attempt wasn't retried.
public enum RetryRefusal: Hashable, Sendable {
    /// The failure is permanent.
    ///
    /// Examples are a rejected certificate and a status code that the policy doesn't retry.
    case notTransient
    /// The method isn't safe to repeat without consent or an `Idempotency-Key`.
    case notRepeatable(HTTPMethod)
    /// The maximum number of retries was reached.
    case retriesExhausted(Int)
    /// The server asks for a longer delay than ``RetryPolicy/maximumRetryAfter``.
    case retryAfterTooLong(Duration)
    /// The host's retry budget is spent.
    ///
    /// See ``RetryPolicy/hasBudget``.
    case budgetExhausted
    /// The delay would exceed the call's total deadline.
    case deadlineTooClose
    /// Part of the response was already delivered.
    case streamStarted
    /// The body was a live sequence, which can be sent only once.
    ///
    /// See ``BodySequence``.
    case liveBody
    /// The call was stopped, or its own code refused to continue.
    case callEnded
}

extension RetryRefusal {
    /// The reason as the end of a sentence.
    ///
    /// - Parameter maximum: The policy's longest delay that a server may ask for, if known.
    func words(within maximum: Duration?) -> String {
        switch self {
        case .notTransient: "it would fail again"
        case .notRepeatable(let method): "\(method) may not be repeated without consent"
        case .retriesExhausted(let count):
            count == 0 ? "no retries are allowed" : "the retries are used up (\(count))"
        case .retryAfterTooLong(let wait):
            "Retry-After \(DurationText(wait)) is longer than "
                + (maximum.map { "\(DurationText($0)) (RetryPolicy.maximumRetryAfter)" }
                    ?? "RetryPolicy.maximumRetryAfter")
        case .budgetExhausted: "the host's retry budget is spent"
        case .deadlineTooClose: "the deadline would pass first"
        case .streamStarted: "a part of the response was read"
        case .liveBody: "the body was sent while it came"
        case .callEnded: "the call has ended"
        }
    }
}
