/// A pure value with the state of a host's circuit.
///
/// Times are in nanoseconds.
package struct CircuitState: Sendable {
    /// The conditions for opening a circuit, and its duration.
    package struct Settings: Equatable, Sendable {
        /// The ratio of failures that opens the circuit.
        package var failureRatio: Double
        /// The minimum number of attempts in the window for opening the circuit.
        package var minimumAttempts: Int
        /// The time for which attempts count.
        package var window: UInt64
        /// The time that the circuit stays open.
        package var pause: UInt64

        package init(failureRatio: Double, minimumAttempts: Int, window: UInt64, pause: UInt64) {
            self.failureRatio = failureRatio
            self.minimumAttempts = minimumAttempts
            (self.window, self.pause) = (window, pause)
        }
    }

    /// The decision about an attempt.
    package enum Decision: Equatable, Sendable {
        case pass
        /// Allow the attempt, whose outcome closes or reopens the circuit.
        case probe
        /// Refuse the attempt.
        ///
        /// The value is the time until the next probe.
        case refuse(UInt64)
    }

    /// The maximum number of attempts to judge a host by, the latest ones.
    package static let maximumAttempts = 1_000

    private enum Phase: Sendable {
        case closed
        case open(until: UInt64)
        /// A probe is in flight, which doesn't end for hours if it is a stream: another one follows at the time.
        case probing(until: UInt64)
    }

    private var phase = Phase.closed
    private var outcomes: [(time: UInt64, failed: Bool)] = []

    package init() {}

    /// Decides about an attempt.
    package mutating func begin(at now: UInt64, _ settings: Settings) -> Decision {
        switch phase {
        case .closed: return .pass
        case .open(let time) where now < time, .probing(let time) where now < time:
            return .refuse(time - now)
        case .open, .probing:
            phase = .probing(until: now &+ settings.pause)
            return .probe
        }
    }

    /// Records the outcome of an attempt.
    ///
    /// - Parameters:
    ///   - failed: Whether the host failed, or nil if the attempt doesn't tell.
    ///   - isProbe: Whether ``begin(at:_:)`` returned a probe.
    ///   - now: The current time.
    ///   - settings: The settings of the circuit.
    package mutating func end(_ failed: Bool?, isProbe: Bool, at now: UInt64, _ settings: Settings)
    {
        if isProbe {
            // Another probe may have ended before this one. A success of any shows that the host is up.
            switch (phase, failed) {
            case (.closed, _): break
            case (_, false?): (phase, outcomes) = (.closed, [])
            case (.probing, true?): phase = .open(until: now &+ settings.pause)
            case (.probing, nil): phase = .open(until: now)
            case (.open, _): break
            }
            return
        }
        guard case .closed = phase, let failed else { return }
        outcomes.append((now, failed))
        if let first = outcomes.first, first.time &+ settings.window <= now {
            outcomes.removeAll { $0.time &+ settings.window <= now }
        }
        if outcomes.count > Self.maximumAttempts { outcomes.removeFirst() }
        let failures = outcomes.count(where: \.failed)
        guard failures > 0, outcomes.count >= settings.minimumAttempts,
            Double(failures) >= settings.failureRatio * Double(outcomes.count)
        else { return }
        (phase, outcomes) = (.open(until: now &+ settings.pause), [])
    }

    /// Returns whether the circuit can be forgotten.
    ///
    /// A closed one can once no recorded outcome counts any more. Another one can once its probe has been due for ten
    /// windows and ten pauses, because its host may never be asked again.
    func isIdle(at now: UInt64, _ settings: Settings) -> Bool {
        switch phase {
        case .closed: outcomes.allSatisfy { $0.time &+ settings.window <= now }
        case .open(let time), .probing(let time):
            now >= time && (now - time) / 10 >= max(settings.window, settings.pause)
        }
    }
}

/// The circuits of any number of hosts.
package struct Circuits: Sendable {
    private let settings: CircuitState.Settings
    private var circuits: [Origin: CircuitState] = [:]
    private var schedule = SweepSchedule(minimum: 64)

    package init(_ settings: CircuitState.Settings) {
        self.settings = settings
    }

    /// The number of circuits, for tests.
    var count: Int { circuits.count }

    /// Decides about an attempt.
    package mutating func begin(_ origin: Origin, at now: UInt64) -> CircuitState.Decision {
        schedule.sweep(&circuits) { [settings] in $0.isIdle(at: now, settings) }
        return circuits[origin, default: CircuitState()].begin(at: now, settings)
    }

    /// Records the outcome of an attempt, whose circuit may have been removed since it began.
    package mutating func end(_ origin: Origin, _ failed: Bool?, isProbe: Bool, at now: UInt64) {
        circuits[origin, default: CircuitState()]
            .end(failed, isProbe: isProbe, at: now, settings)
    }
}
