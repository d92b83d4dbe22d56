/// The calls of an endpoint in flight, and whether it takes new ones; a pure value.
struct CallRegistry: Sendable {
    private enum Phase {
        case open
        /// The endpoint is being shut down, and calls in flight may end, with the requests that belong to them.
        case draining
        case closed
    }

    private var known: [ObjectIdentifier: CallControl] = [:]
    private var phase = Phase.open
    /// The waits for the end of the last call.
    private var waits: [Wait] = []

    /// The calls in flight.
    var controls: [CallControl] { Array(known.values) }

    var count: Int { known.count }

    /// Adds a call.
    ///
    /// - Parameters:
    ///   - control: The call. One that was added before stays.
    ///   - belongsToCall: Whether a call in flight makes this one.
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
    /// - Returns: The waits to finish, as it was the last one.
    mutating func remove(_ control: CallControl) -> [Wait] {
        known[ObjectIdentifier(control)] = nil
        guard known.isEmpty, !waits.isEmpty else { return [] }
        defer { waits = [] }
        return waits
    }

    /// Takes no new calls from now on.
    ///
    /// - Returns: A wait for the end of the last call; nil without calls in flight.
    mutating func drain() -> Wait? {
        if case .open = phase { phase = .draining }
        return waitForEnd()
    }

    /// Takes no new requests of calls in flight either.
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
