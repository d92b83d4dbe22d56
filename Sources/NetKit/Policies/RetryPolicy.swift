/// Which failures are tried again without being asked, how often, and after which wait.
///
/// What is tried again is safe to repeat: a request whose method is idempotent (RFC 9110, section
/// 9.2.2) or that carries an `Idempotency-Key`, after a failure to connect, a lost connection, an
/// idle timeout or one of ``statuses``. A `Retry-After` is never undercut. Nothing is tried again
/// after a cancellation, a decoding failure or the total deadline.
public struct RetryPolicy: Hashable, Sendable {
    /// How often a call is tried again; 1 is at most two sends.
    public var maximumRetries: Int
    /// The wait between attempts.
    public var backoff: Backoff
    /// The statuses after which a call is tried again.
    public var statuses: Set<HTTPStatus>
    /// The methods that may be repeated without an `Idempotency-Key`.
    public var methods: Set<HTTPMethod>
    /// The longest `Retry-After` that is waited for; with a longer one the call fails at once.
    public var maximumRetryAfter: Duration
    /// Whether retries that no call consented to itself are limited to a fifth of the calls that the host got
    /// in the last ten seconds, though not below twenty.
    ///
    /// True by default.
    public var hasBudget = true

    /// Nothing is tried again.
    public static var never: RetryPolicy { RetryPolicy(maximumRetries: 0) }

    /// One retry with exponential backoff from 300 milliseconds and full jitter; every endpoint's default.
    public static var standard: RetryPolicy { RetryPolicy(maximumRetries: 1) }

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - maximumRetries: How often a call is tried again; less than 0 counts as 0.
    ///   - backoff: The wait between attempts.
    ///   - statuses: The statuses that are tried again.
    ///   - methods: The methods that may be repeated.
    ///   - maximumRetryAfter: The longest `Retry-After` that is waited for.
    public init(
        maximumRetries: Int,
        backoff: Backoff = .exponential(),
        statuses: Set<HTTPStatus> = [408, 429, 500, 502, 503, 504],
        methods: Set<HTTPMethod> = [.get, .head, .put, .delete, .options, .trace, .query],
        maximumRetryAfter: Duration = .seconds(60)
    ) {
        self.maximumRetries = max(0, maximumRetries)
        self.backoff = backoff
        self.statuses = statuses
        self.methods = methods
        self.maximumRetryAfter = maximumRetryAfter
    }
}
