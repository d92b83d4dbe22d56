import Foundation

/// How long a call may take.
///
/// Both clocks are NetKit's own and exact to the millisecond; those of URLSession, which cuts
/// fractions of a second off and ignores its resource timeout on Linux, are only a net below them.
public struct Timeouts: Hashable, Sendable {
    /// The longest time in which no byte is sent or received.
    ///
    /// 60 seconds by default.
    ///
    /// It covers connecting, and starts anew with each attempt and with each byte either way. Time
    /// spent waiting for one of the host's connections does not count.
    public var idle: Duration
    /// The longest time for the whole call; nil, the default, is no limit.
    ///
    /// It covers queueing, every attempt and redirect, every wait between them, and the body.
    public var total: Duration?

    /// Makes a pair of limits.
    ///
    /// - Parameters:
    ///   - idle: The longest silence. Values below a millisecond count as a millisecond.
    ///   - total: The longest call, nil for no limit.
    public init(idle: Duration = .seconds(60), total: Duration? = nil) {
        self.idle = idle
        self.total = total
    }
}

/// Which of a call's two clocks ran out.
public enum TimeoutPhase: Hashable, Sendable {
    /// No byte was sent or received for the idle time.
    case idle
    /// The whole call took longer than its total time.
    case total
}

extension Duration {
    /// A timeout in seconds: at least a millisecond, and for ever where it is not a finite number.
    init(timeout seconds: TimeInterval) {
        guard seconds.isFinite, seconds < 9_000_000_000 else {
            self = .seconds(9_000_000_000)
            return
        }
        self = .seconds(max(0.001, seconds))
    }
}
