import Foundation

extension Backoff {
    /// The wait after a response that is not the result.
    ///
    /// - Parameters:
    ///   - retryAfter: Its `Retry-After`. A date that is past, 0 and what is neither are no wait to go by.
    ///   - count: How many such responses there have been, at least 1.
    ///   - random: Where between 0 and 1 the jitter falls.
    ///   - now: The time of day, for a date.
    /// - Returns: The wait.
    func pollingPause(
        retryAfter: String?,
        count: Int,
        random: Double,
        now: Date = Date()
    ) -> Duration {
        guard let said = retryAfter.flatMap({ RetryAfter.delay($0, now: now) }), said > .zero else {
            return delay(beforeRetry: count, random: random)
        }
        return said
    }
}
