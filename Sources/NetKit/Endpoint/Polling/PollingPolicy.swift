import Foundation

/// How often, and for how long, a result that is not ready is asked for again.
public struct PollingPolicy: Hashable, Sendable {
    /// The wait before each time, where the server does not say one by `Retry-After`.
    public var pauses: Backoff
    /// How long after the first request the last one may begin.
    ///
    /// A call that is under way by then goes on, within the endpoint's ``Timeouts``.
    public var limit: Duration

    /// A second at first, half as much again each time up to 10 seconds, for 10 minutes.
    public static var standard: PollingPolicy { PollingPolicy() }

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - pauses: The wait before each time. Defaults to a second, half as much again each time, up to 10 seconds.
    ///   - limit: How long it goes on. Defaults to 10 minutes.
    public init(
        pauses: Backoff = .exponential(
            base: .seconds(1),
            factor: 1.5,
            maximum: .seconds(10),
            jitter: false
        ),
        limit: Duration = .seconds(600)
    ) {
        self.pauses = pauses
        self.limit = limit
    }
}

extension PollingPolicy {
    /// The wait after a response that is not the result.
    ///
    /// - Parameters:
    ///   - retryAfter: Its `Retry-After`. A date that is past, 0 and what is neither are no wait to go by.
    ///   - count: How many such responses there have been, at least 1.
    ///   - random: Where between 0 and 1 the jitter falls.
    ///   - now: The time of day, for a date.
    /// - Returns: The wait.
    func pause(
        retryAfter: String?,
        count: Int,
        random: Double,
        now: Date = Date()
    ) -> Duration {
        guard let said = retryAfter.flatMap({ RetryAfter.delay($0, now: now) }), said > .zero else {
            return pauses.delay(beforeRetry: count, random: random)
        }
        return said
    }
}
