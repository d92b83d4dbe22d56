/// How a host that asked for a pause is called again: by a few calls at first, then by more, then by all.
///
/// A pure value; times are nanoseconds. Only the calls that are queued when the pause ends are spread out: one
/// call, then twice as many every 20 milliseconds. That ends with the last of those calls, or when a step would
/// be as large as the host's limit, which then bounds the calls in flight anyway.
struct HostPause {
    private static var interval: UInt64 { 20_000_000 }

    /// When the next calls may go.
    private(set) var opening: UInt64
    /// How many calls may go before the next opening.
    private var allowance = 0
    /// How many calls the last opening let go; 0 before the pause has ended.
    private var step = 0
    /// How many of the calls that were queued at the end of the pause are still to go.
    private var rest = 0

    /// Makes a pause until `time`.
    init(until time: UInt64) {
        opening = time
    }

    /// Whether a call may go.
    var isOpen: Bool { allowance > 0 }

    /// Makes the pause last until `time`, or begin anew if it has ended; never shortens it.
    mutating func extend(until time: UInt64) {
        self = HostPause(until: step == 0 ? max(time, opening) : time)
    }

    /// The time of the opening has come.
    ///
    /// - Parameters:
    ///   - queued: The number of calls to the host that are queued.
    ///   - limit: The host's limit of calls in flight.
    /// - Returns: Whether the pause goes on; if not, calls go as they would without it.
    mutating func open(queued: Int, limit: Int) -> Bool {
        rest = step == 0 ? queued : min(rest, queued)
        step = step == 0 ? 1 : 2 * step
        allowance = min(step, rest)
        return rest > 0 && step < limit
    }

    /// A call goes.
    ///
    /// - Parameters:
    ///   - now: The time now.
    ///   - queued: The number of calls to the host that are still queued.
    /// - Returns: Whether the pause goes on.
    mutating func sent(at now: UInt64, queued: Int) -> Bool {
        allowance -= 1
        rest = min(rest - 1, queued)
        if allowance == 0 { opening = now &+ Self.interval }
        return rest > 0
    }
}
