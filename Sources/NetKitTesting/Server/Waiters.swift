/// The tests that wait for an event of a server.
struct Waiters {
    /// A test's wait: a condition, and the continuation to resume when it is met.
    struct Waiter: Sendable {
        let event: String
        let condition: @Sendable (borrowing ServerCore.State) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private(set) var waiting: [Int: Waiter] = [:]
    private var lastID = 0

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    mutating func add(_ waiter: Waiter, as id: Int) {
        waiting[id] = waiter
    }

    mutating func take(_ id: Int) -> Waiter? {
        waiting.removeValue(forKey: id)
    }

    mutating func takeAll() -> [Waiter] {
        defer { waiting = [:] }
        return Array(waiting.values)
    }
}

extension ServerCore.State {
    /// Removes and returns the waiters whose conditions are met.
    mutating func takeSatisfiedWaiters() -> [Waiters.Waiter] {
        guard !waiters.waiting.isEmpty else { return [] }
        let satisfied = waiters.waiting.filter { $0.value.condition(self) }
        return satisfied.keys.compactMap { waiters.take($0) }
    }
}

extension ServerCore {
    /// Waits until a condition is met.
    ///
    /// It is checked whenever the state changes.
    ///
    /// - Parameters:
    ///   - event: A description of the event.
    ///   - timeout: The longest time to wait.
    ///   - condition: A closure that returns whether the event has happened.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``,
    ///   ``MockServerError/stopped(waitingFor:)`` or `CancellationError`.
    func wait(
        for event: String,
        timeout: Duration,
        until condition: @escaping @Sendable (borrowing State) -> Bool
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.wait(for: event, until: condition) }
            group.addTask {
                // A sleep of more than 292 years would end the process.
                try await Task.sleep(for: min(timeout, .seconds(1 << 30)))
                throw MockServerError.timedOut(waitingFor: event, after: timeout)
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func wait(
        for event: String,
        until condition: @escaping @Sendable (borrowing State) -> Bool
    ) async throws {
        let id = withState { $0.waiters.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiters.Waiter(
                    event: event,
                    condition: condition,
                    continuation: continuation
                )
                let isStopped = withState { state in
                    state.waiters.add(waiter, as: id)
                    return state.isStopped
                }
                // A stop or a cancellation before the waiter was added has gone unnoticed.
                if isStopped { giveUp(id, MockServerError.stopped(waitingFor: event)) }
                if Task.isCancelled { giveUp(id, CancellationError()) }
            }
        } onCancel: {
            giveUp(id, CancellationError())
        }
    }

    private func giveUp(_ id: Int, _ error: any Error) {
        let waiter = withState { $0.waiters.take(id) }
        waiter?.continuation.resume(throwing: error)
    }

    /// Ends every wait with ``MockServerError/stopped(waitingFor:)``.
    func giveUpWaiting() {
        for waiter in withState({ $0.waiters.takeAll() }) {
            waiter.continuation.resume(throwing: MockServerError.stopped(waitingFor: waiter.event))
        }
    }
}
