public import Foundation
public import NetKit
package import NetKitSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A clock for tests that moves only when you advance it.
///
/// An endpoint with a manual clock measures all time with it: retry delays, pauses of a host, idle
/// and total timeouts, polling delays, circuit breakers and token expiration.
///
/// ```swift
/// let clock = ManualClock()
/// let endpoint = Endpoint(baseURL: server.baseURL, clock: clock)
/// let operation = request.execute(on: endpoint)    // gets a 503 with Retry-After: 30
/// while operation.history.isEmpty { await Task.yield() }
/// try await clock.waitForWaiters(1)                // the delay before the retry
/// clock.advance(by: .seconds(30))
/// ```
public final class ManualClock: Sendable {
    package let deadlines: DeadlineClock

    /// Creates a clock that stands still.
    ///
    /// - Parameter skipsDelays: Whether a delay advances the clock instead of waiting: before a
    ///   retry, a poll or a reconnection. Timeouts, deadlines and the pauses of a ``StubTransport``
    ///   aren't delays, and hosts aren't paused. A skipped delay counts for the timeouts of other calls.
    ///   Defaults to false.
    public init(skippingDelays skipsDelays: Bool = false) {
        deadlines = DeadlineClock(manual: (), skippingDelays: skipsDelays)
    }

    /// The delays that the clock skipped, in order.
    public var skippedDelays: [Duration] { deadlines.skippedDelays }

    /// Advances the clock and wakes everything that waits for a time up to then.
    ///
    /// The work that follows happens on other threads, and may not be finished when this function
    /// returns. Advance to one time after another: a reply that is due before a timeout comes too
    /// late if the clock passes both at once.
    ///
    /// - Parameter duration: The time to advance by; not negative.
    public func advance(by duration: Duration) {
        deadlines.advance(by: duration)
    }

    /// The number of waiters: current delays, timeouts and deadlines.
    public var waiterCount: Int { deadlines.count }

    /// Waits, in real time, until the clock has at least `count` waiters.
    ///
    /// - Parameters:
    ///   - count: The number of waiters, as in ``waiterCount``.
    ///   - timeout: The longest time to wait, in real time. Defaults to a minute.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``, or `CancellationError` if the
    ///   task is canceled.
    public func waitForWaiters(_ count: Int, timeout: Duration = .seconds(60)) async throws {
        let end = ContinuousClock.now + timeout
        while waiterCount < count {
            guard ContinuousClock.now < end else {
                throw MockServerError.timedOut(waitingFor: "\(count) waiters", after: timeout)
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

extension Endpoint {
    /// Creates an endpoint that uses a manual clock.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that paths are appended to.
    ///   - transport: The transport. Defaults to a separate `URLSession`.
    ///   - retryingCount: The number of retries of a call that is safe to repeat. Defaults to that
    ///     of `RetryPolicy.standard`.
    ///   - clock: The clock.
    public convenience init(
        baseURL: URL,
        transport: (any Transport)? = nil,
        retryingCount: Int = RetryPolicy.standard.maximumRetries,
        clock: ManualClock
    ) {
        self.init(
            baseURL: baseURL,
            transport: transport ?? URLSessionTransport(configuration: .default),
            decoder: nil,
            responseQueue: nil,
            sessionConfiguration: .default,
            retryingCount: retryingCount,
            headers: [:],
            clock: clock.deadlines
        )
    }
}
