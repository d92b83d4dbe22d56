/// Whether a host is worth asking; a pure value, times in nanoseconds.
struct CircuitState: Sendable {
    /// When a circuit opens, and for how long.
    struct Settings: Equatable, Sendable {
        /// The share of failures from which on it opens.
        var failureRatio: Double
        /// How many attempts there have to be in the window for that.
        var minimumAttempts: Int
        /// How far back failures count.
        var window: UInt64
        /// How long it stays open.
        var pause: UInt64
    }

    /// What an attempt may do.
    enum Decision: Equatable, Sendable {
        case pass
        /// It passes, and decides by its outcome whether others do.
        case probe
        /// It does not; how long until a probe may.
        case refuse(UInt64)
    }

    private enum Phase: Sendable {
        case closed
        case open(until: UInt64)
        case probing
    }

    private var phase = Phase.closed
    private var outcomes: [(time: UInt64, failed: Bool)] = []

    /// An attempt wants to be made.
    mutating func begin(at now: UInt64, _ settings: Settings) -> Decision {
        switch phase {
        case .closed: return .pass
        case .open(let time) where now < time: return .refuse(time - now)
        case .open:
            phase = .probing
            return .probe
        case .probing: return .refuse(settings.pause)
        }
    }

    /// An attempt has ended.
    ///
    /// - Parameters:
    ///   - failed: Whether the host failed; nil if nothing can be said, as it was cancelled.
    ///   - isProbe: Whether ``begin(at:_:)`` said so.
    ///   - now: The time now.
    ///   - settings: When a circuit opens.
    mutating func end(_ failed: Bool?, isProbe: Bool, at now: UInt64, _ settings: Settings) {
        if isProbe {
            switch failed {
            case true?: phase = .open(until: now &+ settings.pause)
            case false?: (phase, outcomes) = (.closed, [])
            case nil: phase = .open(until: now)
            }
            return
        }
        guard case .closed = phase, let failed else { return }
        outcomes.append((now, failed))
        if let first = outcomes.first, first.time &+ settings.window <= now || outcomes.count > 1000
        {
            outcomes.removeAll { $0.time &+ settings.window <= now }
            outcomes = outcomes.suffix(500)
        }
        let failures = outcomes.count(where: \.failed)
        guard outcomes.count >= settings.minimumAttempts,
            Double(failures) >= settings.failureRatio * Double(outcomes.count)
        else { return }
        (phase, outcomes) = (.open(until: now &+ settings.pause), [])
    }
}
