/// What became of one attempt of a call, and why it was followed by another or not.
public struct AttemptTrace: Sendable {
    /// How an attempt ended.
    public enum Outcome: Hashable, Sendable {
        /// With a response of this status.
        case response(HTTPStatus)
        /// Without a whole response; one line that says why.
        case failure(String)
    }

    /// What followed.
    public enum Next: Hashable, Sendable {
        /// Nothing, as it succeeded.
        case done
        /// Another attempt, after this wait.
        case retry(after: Duration)
        /// Another attempt, as a ``RequestRetrier`` wanted it.
        case retrier
        /// Nothing, for this reason.
        case stop(RetryRefusal)
    }

    /// Which attempt it was, counted from 1.
    public let number: Int
    /// How it ended.
    public let outcome: Outcome
    /// How long it took, redirects included.
    public let duration: Duration
    /// What followed.
    public let next: Next
    /// The response that ``Authentication`` failed to make good, so that its own failure is the outcome; else nil.
    public let unrecovered: HTTPResponse?
}

extension AttemptTrace: CustomStringConvertible {
    /// One line: `attempt 1: 503 Service Unavailable in 0.01 seconds, tried again after 0.3 seconds`.
    public var description: String {
        let ending =
            switch outcome {
            case .response(let status): "\(status)"
            case .failure(let reason): reason
            }
        let following =
            switch next {
            case .done: ""
            case .retry(let wait): ", tried again after \(wait)"
            case .retrier: ", tried again by a retrier"
            case .stop(let reason): ", not tried again: \(reason.words)"
            }
        let cause = unrecovered.map { " after \($0.status)" } ?? ""
        return "attempt \(number): \(ending)\(cause) in \(duration)\(following)"
    }
}
