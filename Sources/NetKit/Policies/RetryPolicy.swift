import NetKitSupport

/// A policy for automatic retries: the failures, the number of retries and the delays.
///
/// Only requests that are safe to repeat are retried: the method is idempotent (RFC 9110, section 9.2.2), or the
/// request carries an `Idempotency-Key`. They are retried after a failure to connect, a lost connection, an idle
/// timeout, or a response with one of ``statuses``. A retry never comes earlier than `Retry-After` allows.
/// Cancellation, decoding failures and the total deadline are never retried.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of retries.
    ///
    /// With 1, a request is sent at most twice.
    public var maximumRetries: Int
    /// The delay between attempts.
    public var backoff: Backoff
    /// The status codes that are retried.
    public var statuses: Set<HTTPStatus>
    /// The methods that are retried without an `Idempotency-Key`.
    public var methods: Set<HTTPMethod>
    /// The longest `Retry-After` to honor.
    ///
    /// With a longer one, the call fails immediately. Of a 429 without the field, `RateLimit`, `RateLimit-Reset` and
    /// `X-RateLimit-Reset` count, and the fields that other rate limiters send in their place.
    public var maximumRetryAfter: Duration
    /// Whether a budget limits the automatic retries per host.
    ///
    /// Defaults to true.
    ///
    /// Within ten seconds, an origin gets at most 20 automatic retries, or one for every five calls if that is more.
    /// Derived endpoints share the budget. When it is used up, a call ends with its last result. It doesn't limit
    /// ``RequestExecutionOperation/retryOnFail(_:)-(Int)`` and `execute(on:retrying:)`.
    public var hasBudget = true

    /// A policy that never retries.
    public static var never: RetryPolicy { RetryPolicy(maximumRetries: 0) }

    /// The same as ``never``.
    ///
    /// For an Optional, Swift takes `.none` for nil, which means the endpoint's policy, and warns of it.
    @available(*, unavailable, renamed: "never")
    public static var none: RetryPolicy { .never }

    /// One retry, with exponential backoff from 300 milliseconds and full jitter.
    ///
    /// Every endpoint's default.
    public static var standard: RetryPolicy { RetryPolicy(maximumRetries: 1) }

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumRetries: The maximum number of retries. Negative values count as 0.
    ///   - backoff: The delay between attempts. Defaults to exponential backoff.
    ///   - statuses: The status codes that are retried. They replace the default ones: 408, 429, 500, 502, 503 and 504.
    ///   - methods: The methods that are retried without an `Idempotency-Key`. They replace the default ones: the
    ///     idempotent methods.
    ///   - maximumRetryAfter: The longest `Retry-After` to honor. Defaults to 60 seconds.
    public init(
        maximumRetries: Int,
        backoff: Backoff = .exponential(),
        statuses: Set<HTTPStatus> = [408, 429, 500, 502, 503, 504],
        methods: Set<HTTPMethod> = [.get, .head, .put, .delete, .options, .trace, .query],
        maximumRetryAfter: Duration = .seconds(60)
    ) {
        self.maximumRetries = max(0, maximumRetries)
        (self.backoff, self.statuses, self.methods) = (backoff, statuses, methods)
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// Whether ``methods`` have a method, also in another form than the sent one, such as `post`.
    package func repeats(_ method: HTTPMethod) -> Bool {
        methods.contains(method) || methods.contains { $0.sentForm == method.sentForm }
    }
}

/// The delay before a retry.
public enum Backoff: Hashable, Sendable {
    /// No delay.
    case none
    /// The same delay before each retry.
    case constant(Duration)
    /// A delay that grows with each retry: `base × factor^(n − 1)` before the n-th retry, at most `maximum`.
    ///
    /// With `jitter`, the delay is a random value between 0 and that delay, so that clients that failed together don't
    /// retry together.
    case exponential(
        base: Duration = .milliseconds(300),
        factor: Double = 2,
        maximum: Duration = .seconds(30),
        jitter: Bool = true
    )

    /// Returns the delay before a retry.
    ///
    /// - Parameters:
    ///   - retry: The number of the retry, starting at 1.
    ///   - random: The position of the jitter, from 0 to 1.
    /// - Returns: The delay, never negative.
    package func delay(beforeRetry retry: Int, random: Double) -> Duration {
        switch self {
        case .none: return .zero
        case .constant(let delay): return max(.zero, delay)
        case .exponential(let base, let factor, let maximum, let jitter):
            let delay = GrowingDelay.delay(base, times: factor, atMost: maximum, number: retry)
            return jitter ? delay * min(1, max(0, random)) : delay
        }
    }
}
