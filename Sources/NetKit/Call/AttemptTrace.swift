import NetKitSupport

/// A record of one attempt: its outcome, its duration, and what followed.
public struct AttemptTrace: Sendable {
    /// The outcome of an attempt.
    public enum Outcome: Hashable, Sendable {
        /// A response with this status code.
        case response(HTTPStatus)
        /// No complete response, for the reason in this one-line message.
        case failure(String)
    }

    /// The step that followed an attempt.
    public enum Next: Hashable, Sendable {
        /// None, because the attempt succeeded.
        case done
        /// A retry, after this delay.
        case retry(after: Duration)
        /// Another attempt, because an ``Interceptor`` of scope ``InterceptorScope/call`` sent a request again.
        ///
        /// Events are reported before, so they don't have this step.
        case interceptor
        /// None, for this reason.
        case stop(RetryRefusal)
    }

    /// The number of the attempt, starting at 1.
    public let number: Int
    /// The outcome of the attempt.
    public let outcome: Outcome
    /// The duration of the attempt, including redirects.
    public let duration: Duration
    /// The step that followed the attempt.
    public internal(set) var next: Next
    /// The response that ``Authentication`` failed to recover from, if any.
    ///
    /// If there is one, the outcome is the failure of the authentication.
    package let unrecoveredResponse: HTTPResponse?
    /// The policy's longest delay that a server may ask for.
    var maximumRetryAfter: Duration?
}

extension AttemptTrace {
    /// Why a failure that could have been retried wasn't, as the end of a sentence; nil otherwise.
    ///
    /// Failures that a retry can't help need no explanation, and neither does a policy without retries.
    var refusedRetry: String? {
        guard case .stop(let reason) = next else { return nil }
        switch reason {
        case .notRepeatable, .retryAfterTooLong, .budgetExhausted, .deadlineTooClose:
            return "not retried: \(reason.words(within: maximumRetryAfter))"
        case .notTransient, .retriesExhausted, .streamStarted, .liveBody, .callEnded: return nil
        }
    }
}

extension AttemptTrace: Described {
    /// A one-line description: `attempt 1: 503 Service Unavailable in 12.3 ms, retried after 300 ms`.
    ///
    /// Times have at most three significant digits, or whole seconds from 1000 seconds.
    package var shown: String {
        let ending =
            switch outcome {
            case .response(let status): "\(status)"
            case .failure(let reason): reason
            }
        let following =
            switch next {
            case .done: ""
            case .retry(.zero): ", retried at once"
            case .retry(let wait): ", retried after \(DurationText(wait))"
            case .interceptor: ", sent again by an interceptor"
            case .stop(let reason): ", not retried: \(reason.words(within: maximumRetryAfter))"
            }
        let cause = unrecoveredResponse.map { " after \($0.status)" } ?? ""
        let time = DurationText(duration)
        return "attempt \(number): \(ending)\(cause) in \(time)\(following)"
    }
}

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
    ///
    /// Events are reported before the delay, so they have a retry if the call was stopped in it.
    case callEnded
}

extension RetryRefusal {
    /// The reason as the end of a sentence.
    ///
    /// - Parameter maximum: The policy's longest delay that a server may ask for, if known.
    /// - Returns: The reason.
    func words(within maximum: Duration?) -> String {
        switch self {
        case .notTransient: "it would fail again"
        case .notRepeatable(let method): "\(method) may not be repeated without consent"
        case .retriesExhausted(let count):
            count == 0 ? "no retries are allowed" : "the retries are used up (\(count))"
        case .retryAfterTooLong(let wait):
            "the server asks for a delay of \(DurationText(wait)), more than "
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
