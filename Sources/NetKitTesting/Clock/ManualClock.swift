public import Foundation
public import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A clock for tests: time goes by when the test says so, and waits of hours take none.
///
/// An endpoint that is made with it waits on it alone: between attempts, for a host that wants to be left alone,
/// for idle and total deadlines, between polls, in a circuit breaker, and for the expiry of tokens.
///
/// ```swift
/// let clock = ManualClock()
/// let endpoint = Endpoint(baseURL: server.baseURL, clock: clock)
/// let operation = request.execute(on: endpoint)    // gets a 503 with Retry-After: 3600
/// try await server.waitForRequests(1)
/// clock.advance(by: .seconds(3600))
/// ```
public final class ManualClock: Sendable {
    package let deadlines: DeadlineClock

    /// Creates a clock that stands still.
    ///
    /// - Parameter skipsDelays: Whether a delay moves the clock instead of waiting: that before a retry, between two
    ///   polls, or before a reconnection. Timeouts and deadlines are not delays. Defaults to false.
    public init(skippingDelays skipsDelays: Bool = false) {
        deadlines = DeadlineClock(manual: (), skippingDelays: skipsDelays)
    }

    /// The delays that the clock skipped, in order.
    public var skippedDelays: [Duration] { deadlines.skippedDelays }

    /// Lets time go by.
    ///
    /// Whoever waits for a time until then is woken. What they do then happens on their own threads.
    ///
    /// - Parameter duration: How much; not negative.
    public func advance(by duration: Duration) {
        deadlines.advance(by: duration)
    }

    /// How many waits and deadlines there are at this moment.
    public var waiting: Int { deadlines.count }

    /// Waits, in real time, until there are at least so many waits and deadlines.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - timeout: How long to wait in real time. The default is 20 seconds.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``, or `CancellationError` if the task is cancelled.
    public func waitUntilWaiting(_ count: Int, timeout: Duration = .seconds(20)) async throws {
        let end = ContinuousClock.now + timeout
        while waiting < count {
            guard ContinuousClock.now < end else {
                throw MockServerError.timedOut(waitingFor: "\(count) waits", after: timeout)
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

extension Endpoint {
    /// Makes an endpoint whose time goes by when a test says so.
    ///
    /// - Parameters:
    ///   - baseURL: What paths are joined to.
    ///   - transport: Sends the requests. Defaults to a `URLSession` of its own.
    ///   - retryingCount: How often a call that is safe to repeat is retried. Defaults to that of
    ///     `RetryPolicy.standard`.
    ///   - clock: The time.
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
