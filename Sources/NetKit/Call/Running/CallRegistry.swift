/// A pure value with the calls of an endpoint in flight, and whether it accepts new ones.
struct CallRegistry: Sendable {
    private enum Phase {
        case open
        /// The endpoint accepts only requests that belong to calls in flight.
        case draining
        case closed
    }

    private var known: [ObjectIdentifier: CallControl] = [:]
    private var phase = Phase.open
    /// The waits for the end of the last call.
    private var waits: [Wait] = []

    /// Whether new calls are accepted.
    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// The calls in flight.
    var controls: [CallControl] { Array(known.values) }

    var count: Int { known.count }

    /// Adds a call.
    ///
    /// - Parameters:
    ///   - control: The call. A call that was added before stays.
    ///   - belongsToCall: Whether the call belongs to a call in flight.
    /// - Returns: Whether the call may run.
    mutating func add(
        _ control: CallControl,
        belongsToCall: @autoclosure () -> Bool = UserCode.belongsToCall
    ) -> Bool {
        let id = ObjectIdentifier(control)
        switch phase {
        case .open: break
        case .draining: guard belongsToCall() || known[id] != nil else { return false }
        case .closed: guard known[id] != nil else { return false }
        }
        known[id] = control
        return true
    }

    /// Removes a call that has ended.
    ///
    /// - Returns: The waits to finish, if it was the last call.
    mutating func remove(_ control: CallControl) -> [Wait] {
        known[ObjectIdentifier(control)] = nil
        guard known.isEmpty, !waits.isEmpty else { return [] }
        defer { waits = [] }
        return waits
    }

    /// Stops accepting new calls.
    ///
    /// - Returns: A wait for the end of the last call; nil without calls in flight.
    mutating func drain() -> Wait? {
        if case .open = phase { phase = .draining }
        return waitForEnd()
    }

    /// Stops accepting requests of calls in flight too.
    ///
    /// - Returns: A wait for the end of the last call; nil without calls in flight.
    mutating func close() -> Wait? {
        phase = .closed
        return waitForEnd()
    }

    private mutating func waitForEnd() -> Wait? {
        guard !known.isEmpty else { return nil }
        let wait = Wait()
        waits.append(wait)
        return wait
    }
}
