/// A delay that grows with each repetition.
package enum GrowingDelay {
    /// Returns the delay before a repetition: `base × factor^(number − 1)`, at most `maximum`.
    package static func delay(
        _ base: Duration,
        times factor: Double,
        atMost maximum: Duration,
        number: Int
    ) -> Duration {
        let factor = factor.isFinite ? max(1, factor) : 1
        let ceiling = Double(max(.zero, maximum).clampedNanoseconds)
        // In floating point, because it saturates where a duration would overflow.
        var wait = min(Double(base.clampedNanoseconds), ceiling)
        for _ in 1..<max(1, number) where wait < ceiling { wait = min(wait * factor, ceiling) }
        return Duration.nanoseconds(Int64(wait))
    }
}

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
    private var eventlessConnections = 0

    package init(_ time: Duration) {
        self.time = time
    }

    /// Records a lost connection and computes the next delay.
    ///
    /// - Parameter broughtEvent: Whether the connection delivered an event.
    /// - Returns: The delay before the next connection.
    package mutating func next(broughtEvent: Bool) -> Duration {
        eventlessConnections = broughtEvent ? 0 : eventlessConnections + 1
        let base = max(time, Self.floor)
        guard base < Self.ceiling else { return base }
        // Nine doublings take the floor beyond the ceiling.
        let number = min(eventlessConnections, 10)
        return GrowingDelay.delay(base, times: 2, atMost: Self.ceiling, number: number)
    }
}
