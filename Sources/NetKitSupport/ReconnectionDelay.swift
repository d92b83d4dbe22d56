/// A pure value that computes an event source's delay before reconnecting.
///
/// Each consecutive connection without an event doubles the delay, up to 30 seconds. The delay never falls below the
/// floor.
package struct ReconnectionDelay: Sendable {
    /// The minimum delay, whatever the server asks for.
    static let floor = Duration.milliseconds(100)
    /// The maximum delay reached by doubling.
    static let ceiling = Duration.seconds(30)

    /// The base delay: the initial one, or the latest from the server.
    package var time: Duration
    /// The number of consecutive connections without an event.
    package private(set) var eventlessConnections = 0

    package init(_ time: Duration) {
        self.time = time
    }

    /// Records a lost connection and computes the next delay.
    ///
    /// - Parameter broughtEvent: Whether the connection delivered an event.
    /// - Returns: The delay before the next connection.
    package mutating func next(broughtEvent: Bool) -> Duration {
        eventlessConnections = broughtEvent ? 0 : eventlessConnections + 1
        var delay = max(time, Self.floor)
        // Nine doublings take the floor beyond the ceiling.
        for _ in 1..<max(1, min(eventlessConnections, 10)) where delay < Self.ceiling {
            delay = min(delay * 2, Self.ceiling)
        }
        return delay
    }
}
