import Dispatch

extension RequestExecutionOperation: CallObserver {
    func callWillStart(_ control: CallControl) async {
        await waitForListener(control)
        let (action, owesDeliveries) = state.withLock { ($0.start(), $0.owesDeliveries) }
        act(action)
        guard owesDeliveries else { return }
        let wait = Wait()
        act(state.withLock { $0.addBarrier { wait.finish() } })
        await wait.run(control)
    }

    /// Lets the thread that made the operation finish its chain of closures first.
    ///
    /// The task may well overtake it, and an `onStart` that comes after the request has gone could
    /// not keep it from going. An operation that nobody listens to goes all the same, a little later
    /// than a busy machine keeps a thread waiting.
    private func waitForListener(_ control: CallControl) async {
        let wait = Wait()
        guard state.withLock({ $0.awaitListener { wait.finish() } }) else { return }
        // In real time, whatever the endpoint's clock: it is about threads, and no policy.
        await wait.run(control, atMost: .milliseconds(50), clock: .shared)
    }

    var isWatchingTransfers: Bool { state.withLock { $0.isWatchingTransfers } }

    func callDidTransfer(_ count: TransferCount) {
        let now = (endpoint?.clock ?? .shared).now
        let (action, takesTimer) = state.withLock { state in
            (state.transferred(count, at: now), state.takesTransferTimer())
        }
        act(action)
        guard takesTimer else { return }
        let wait = DispatchTimeInterval.nanoseconds(Int(TransferMeter.interval))
        DispatchQueue.global()
            .asyncAfter(deadline: .now() + wait) { [weak self] in
                guard let self else { return }
                let now = (endpoint?.clock ?? .shared).now
                act(state.withLock { $0.tellLatestTransfer(at: now) })
            }
    }

    func callDidAttempt(_ info: DebugInfo) {
        act(state.withLock { $0.attempted(info) })
    }

    func act(_ action: State.Action) {
        guard action == .drain else { return }
        let queue = callbackQueue
        queue.run { self.drain(on: queue) }
    }

    /// Runs what is owed, one closure after the other; on another queue when that was changed.
    private func drain(on queue: CallbackQueue) {
        while true {
            let current = callbackQueue
            guard current == queue else {
                current.run { self.drain(on: current) }
                return
            }
            guard let delivery = state.withLock({ $0.nextDelivery() }) else { return }
            BearerAuthentication.working(for: refreshes, delivery)
        }
    }

    private var callbackQueue: CallbackQueue {
        queue.withLock { queue in
            if let queue { return queue }
            let resolved = CallbackQueue(endpoint?.responseQueue)
            queue = resolved
            return resolved
        }
    }
}
