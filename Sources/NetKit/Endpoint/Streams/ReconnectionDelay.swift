/// How long an event source waits before it connects again; a pure value.
///
/// Each connection in a row that brings no event doubles the delay, up to half a minute. No server gets below the floor.
struct ReconnectionDelay: Sendable {
    /// The shortest delay, whatever the server asks for.
    static let floor = Duration.milliseconds(100)
    /// The longest delay that doubling leads to.
    static let ceiling = Duration.seconds(30)

    /// The reconnection time: the first one, or what the server said last.
    var time: Duration
    /// How many connections in a row brought no event.
    private(set) var eventlessConnections = 0

    init(_ time: Duration) {
        self.time = time
    }

    /// A connection was lost.
    ///
    /// - Parameter broughtEvent: Whether it had brought an event.
    /// - Returns: The delay before the next one.
    mutating func next(broughtEvent: Bool) -> Duration {
        eventlessConnections = broughtEvent ? 0 : eventlessConnections + 1
        var delay = max(time, Self.floor)
        // Nine doublings lead from the floor beyond the ceiling.
        for _ in 1..<max(1, min(eventlessConnections, 10)) where delay < Self.ceiling {
            delay = min(delay * 2, Self.ceiling)
        }
        return delay
    }
}
