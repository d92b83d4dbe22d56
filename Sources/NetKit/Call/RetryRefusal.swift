/// Why a failed attempt was not followed by another.
public enum RetryRefusal: Hashable, Sendable {
    /// The failure would be the same again: a status outside the policy, a refused certificate.
    case notTransient
    /// The method may not be repeated without consent or an `Idempotency-Key`.
    case notRepeatable(HTTPMethod)
    /// So many retries were allowed, and have been made.
    case usedUp(Int)
    /// The server asks for a longer wait than ``RetryPolicy/maximumRetryAfter``.
    case retryAfterTooLong(Duration)
    /// The host had its share of retries; see ``RetryPolicy/hasBudget``.
    case budgetSpent
    /// The wait would outlast the call's total deadline.
    case deadline
    /// A part of the response has been handed on already.
    case streamBegun
    /// The body was sent while it came, and is kept nowhere; see ``BodySequence``.
    case liveBody
    /// The call was stopped, or its own code refused to go on.
    case ended
}

extension RetryRefusal {
    /// The reason, as the end of a sentence.
    var words: String {
        switch self {
        case .notTransient: "it would fail again"
        case .notRepeatable(let method): "\(method) may not be repeated without consent"
        case .usedUp(let count):
            count == 0 ? "no retries are allowed" : "the retries are used up (\(count))"
        case .retryAfterTooLong(let wait): "the server asks for a wait of \(wait)"
        case .budgetSpent: "the host's retry budget is spent"
        case .deadline: "the deadline would pass first"
        case .streamBegun: "a part of the response was read"
        case .liveBody: "the body was sent while it came"
        case .ended: "the call has ended"
        }
    }
}
