import Foundation
import NetKit

extension Backoff {
    /// Returns the delay after a response that isn't the result.
    ///
    /// - Parameters:
    ///   - retryAfter: The value of `Retry-After`. A past date, 0, and an invalid value are ignored.
    ///   - count: The number of such responses so far, at least 1.
    ///   - random: The position of the jitter, from 0 to 1.
    ///   - now: The response's own date, for comparing a date in `retryAfter`. Defaults to the system's.
    /// - Returns: The delay.
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
