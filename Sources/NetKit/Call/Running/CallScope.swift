import NetKitSupport

/// The calls of an endpoint, which belong to the endpoints that it derives from too.
///
/// A scope keeps no endpoint alive, and no scope whose endpoint is gone. Chains of derived endpoints can be of any length:
/// nothing here is recursive.
final class CallScope: Sendable {
    private struct State: ~Copyable {
        var registry = CallRegistry()
        /// The next scope around this one.
        var outer: CallScope?
        /// Whether the endpoint is gone, which alone could cancel the calls of this scope.
        var isReleased = false
        /// The number of the last time when all calls of the scope were stopped, 0 for never.
        var lastStop = 0
    }

    private static let lastStop = Locked(0)

    private let state: Locked<State>
    private let isDerived: Bool

    /// Creates a scope within another one.
    init(within outer: CallScope?) {
        // The predecessors of an endpoint that is replaced by a derived one are gone already.
        _ = outer?.nextInUse()
        state = Locked(State(outer: outer))
        isDerived = outer != nil
    }

    deinit {
        var next = state.withLock { state in
            defer { state.outer = nil }
            return state.outer
        }
        // Releases a chain from the inside, because each scope would otherwise release the next one recursively.
        while isKnownUniquelyReferenced(&next) {
            let outer = next?.state
                .withLock { state in
                    defer { state.outer = nil }
                    return state.outer
                }
            next = outer ?? nil
        }
    }

    /// Calls `body` with the calls of this scope.
    func withLock<Result: Sendable>(_ body: (inout CallRegistry) -> Result) -> Result {
        state.withLock { body(&$0.registry) }
    }

    /// Adds a call to this scope and to all around it, or stops it if one of them is shut down.
    func register(_ control: CallControl) {
        var next: CallScope? = self
        while let scope = next {
            guard scope.withLock({ $0.add(control) }) else {
                // A request of a canceled batch isn't a new call.
                let isPart = CallControl.runsCode && Task.isCancelled
                return control.stop(isPart ? .cancelled : .shutDown)
            }
            next = scope.nextInUse()
        }
    }

    /// Removes a call that has ended from this scope and from all around it.
    func forget(_ control: CallControl) {
        var next: CallScope? = self
        while let scope = next {
            for wait in scope.withLock({ $0.remove(control) }) { wait.finish() }
            next = scope.nextInUse()
        }
    }

    /// Stops all calls of this scope.
    func stopAll() {
        let number = Self.lastStop.withLock { number in
            number += 1
            return number
        }
        let controls = state.withLock { state in
            state.lastStop = number
            return state.registry.controls
        }
        for control in controls { control.stop(.cancelled) }
    }

    /// The number of the last time when all calls of this scope, or of one around it, were stopped.
    ///
    /// Each later time has a greater number.
    var lastStop: Int {
        var (number, next) = (0, Optional(self))
        while let scope = next {
            number = max(number, scope.state.withLock { $0.lastStop })
            next = scope.nextInUse()
        }
        return number
    }

    /// Notes that the endpoint of this scope is gone.
    func release() { state.withLock { $0.isReleased = true } }

    /// Returns the next scope around this one whose endpoint exists or is shut down.
    ///
    /// It drops those in between.
    func nextInUse() -> CallScope? {
        guard isDerived else { return nil }
        var passed: [CallScope] = []
        var next = state.withLock { $0.outer }
        while let scope = next, let outer = scope.outerIfUnused {
            passed.append(scope)
            next = outer
        }
        guard !passed.isEmpty else { return next }
        for scope in passed + [self] { scope.state.withLock { $0.outer = next } }
        return next
    }

    /// The scope around this one, which replaces it for those within.
    ///
    /// Nil if this one must stay, or has none around it.
    private var outerIfUnused: CallScope? {
        state.withLock { $0.isReleased && $0.registry.isOpen ? $0.outer : nil }
    }
}

/// A pure value with the calls of an endpoint in flight, and whether it accepts new ones.
struct CallRegistry: Sendable {
    private enum Phase {
        case open
        /// The endpoint accepts only requests that belong to calls in flight.
        case draining
        case closed
    }

    private var known: [ObjectIdentifier: (control: CallControl, number: Int)] = [:]
    private var added = 0
    private var phase = Phase.open
    /// The waits for the end of the last call.
    private var waits: [Wait] = []

    /// Whether new calls are accepted.
    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// The calls in flight, in the order in which they were added.
    ///
    /// A batch comes before its calls. If it is stopped first, it starts no other call in place of one that is stopped.
    var controls: [CallControl] {
        Array(known.values).ordered { $0.number < $1.number }.map(\.control)
    }

    var count: Int { known.count }

    /// Adds a call.
    ///
    /// - Parameters:
    ///   - control: The call. A call that was added before stays.
    ///   - belongsToCall: Whether the call belongs to a call in flight.
    /// - Returns: Whether the call may run.
    mutating func add(
        _ control: CallControl,
        belongsToCall: @autoclosure () -> Bool = CallControl.runsCode
    ) -> Bool {
        let id = ObjectIdentifier(control)
        switch phase {
        case .open: break
        case .draining: guard belongsToCall() || known[id] != nil else { return false }
        case .closed: guard known[id] != nil else { return false }
        }
        known[id, default: (control, added)].control = control
        added += 1
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
