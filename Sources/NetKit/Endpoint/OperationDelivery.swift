import Dispatch

extension RequestExecutionOperation: CallObserver {
    func callWillStart(_ control: CallControl) async {
        let owes = state.withLock { state in
            (state.start(), state.owesDeliveries)
        }
        act(owes.0)
        guard owes.1 else { return }
        let wait = Wait()
        act(state.withLock { $0.addBarrier { wait.finish() } })
        await wait.run(control)
    }

    func callDidTransfer(_ count: TransferCount) {
        act(state.withLock { $0.progress(count.fraction) })
    }

    func callDidAttempt(_ info: DebugInfo) {
        act(state.withLock { $0.attempted(info) })
    }

    func act(_ action: OperationState<Outcome, DebugInfo>.Action) {
        guard action == .drain else { return }
        let queue = callbackQueue
        queue.async { self.drain(on: queue) }
    }

    /// Runs what is owed, one closure after the other; on another queue when that was changed.
    private func drain(on queue: DispatchQueue) {
        while true {
            let current = callbackQueue
            guard current === queue else {
                current.async { self.drain(on: current) }
                return
            }
            guard let delivery = state.withLock({ $0.nextDelivery() }) else { return }
            delivery()
        }
    }

    private var callbackQueue: DispatchQueue {
        queue.withLock { queue in
            if let queue { return queue }
            let resolved = endpoint?.responseQueue ?? Self.defaultQueue()
            queue = resolved
            return resolved
        }
    }

    private static func defaultQueue() -> DispatchQueue {
        #if canImport(Darwin)
        .main
        #else
        DispatchQueue(label: "NetKit.callbacks", qos: .userInitiated)
        #endif
    }
}
