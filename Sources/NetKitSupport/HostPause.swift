/// The gradual reopening of a host that asked for a pause.
///
/// It is a pure value with times in nanoseconds. Only the calls queued at the end of the pause are spread out: one
/// call, then twice as many every 20 milliseconds. This ends with the last of those calls. It also ends when a step
/// reaches the host's limit, which then bounds the calls in flight anyway.
package struct HostPause {
    private static var interval: UInt64 { 20_000_000 }

    /// The time when the next calls may start.
    package private(set) var opening: UInt64
    /// The number of calls that may start before the next opening.
    private var allowance = 0
    /// The number of calls started by the last opening, or 0 before it.
    private var step = 0
    /// The remaining number of calls that were queued at the end of the pause.
    private var rest = 0

    /// Creates a pause until `time`.
    package init(until time: UInt64) {
        opening = time
    }

    /// Whether a call may start.
    package var isOpen: Bool { allowance > 0 }

    /// Extends the pause until `time`, or restarts it if it has ended.
    ///
    /// Never shortens it.
    package mutating func extend(until time: UInt64) {
        self = HostPause(until: step == 0 ? max(time, opening) : time)
    }

    /// Opens the next step when its time has come.
    ///
    /// - Parameters:
    ///   - queued: The number of queued calls to the host.
    ///   - limit: The host's limit on calls in flight.
    /// - Returns: Whether the pause continues. If not, calls start normally.
    package mutating func open(queued: Int, limit: Int) -> Bool {
        rest = step == 0 ? queued : min(rest, queued)
        step = step == 0 ? 1 : 2 * step
        allowance = min(step, rest)
        return rest > 0 && step < limit
    }

    /// Records that a call starts.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - queued: The number of calls to the host that are still queued.
    /// - Returns: Whether the pause continues.
    package mutating func sent(at now: UInt64, queued: Int) -> Bool {
        allowance -= 1
        rest = min(rest - 1, queued)
        if allowance == 0 { opening = now &+ Self.interval }
        return rest > 0
    }
}
