import Dispatch
import Foundation
import NetKitSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The call behind an operation.
///
/// It lives until the call has ended and every handler has run, even if the operation is released earlier.
final class OperationRun<T: Request>: CallObserver {
    typealias Outcome = RequestExecutionOperation<T>.Outcome

    let request: T
    let endpoint: Endpoint?
    let control: CallControl
    /// The state, whose outcome is an ``Outcome``.
    let state = Locked(OperationState())
    private let owner = Locked(OperationOwner())
    /// The wait for handlers.
    ///
    /// It ends with the first handler of the outcome, the first awaiting task, or the release of the operation.
    let listening = Wait()
    /// What the call and its handlers belong to.
    private let origin = SharedWork.parts

    init(_ request: T, on endpoint: Endpoint?, settings: CallSettings) {
        self.request = request
        self.endpoint = endpoint
        control = CallControl(clock: endpoint?.clock ?? .shared, settings: settings)
    }

    /// Runs the call in a new task.
    ///
    /// The task retains the endpoint and inherits the caller's task-local values. The call is registered first, so that
    /// ``Endpoint/cancelAllRequests()`` reaches it immediately.
    func start() {
        endpoint?.register(control)
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // Runs on the caller's thread up to the wait for a handler, which saves a thread switch.
            Task.immediate { await self.run() }
        } else {
            Task { await self.run() }
        }
    }

    /// Stores the operation that the caller receives.
    func adopt(_ operation: RequestExecutionOperation<T>) {
        owner.withLock { $0.operation = operation }
    }

    /// The operation that the caller received, or nil once it is released.
    var operation: RequestExecutionOperation<T>? {
        owner.withLock { $0.operation } as? RequestExecutionOperation<T>
    }

    /// Sets the queue for the handlers.
    func setQueue(_ queue: DispatchQueue) {
        owner.withLock { $0.queue = CallbackQueue(queue) }
    }

    private var now: UInt64 { (endpoint?.clock ?? .shared).now }

    private func run() async {
        await waitForListener()
        guard let endpoint else {
            let failure = ErrorResponse<T.ErrorType>
                .invalidRequest(InvalidRequest(.missingEndpoint))
            callDidAttempt(DebugInfo(sessionConfiguration: .default, error: failure))
            // The clock would keep the call until its deadline.
            control.endDeadline()
            finish(.failure(failure))
            return
        }
        let call = Call(request: request, endpoint: endpoint, control: control, observer: self)
        finish(await endpoint.outcome(of: call))
    }

    private func finish(_ outcome: Outcome) {
        let (action, waiters) = end(with: outcome)
        for waiter in waiters { waiter(outcome) }
        act(action)
        let kept = owner.withLock { owner in
            defer { owner.kept = nil }
            return owner.kept
        }
        // Releases the operation outside of the lock.
        withExtendedLifetime(kept) {}
    }

    /// Records the outcome, and releases the handlers outside of the lock.
    private func end(
        with outcome: Outcome
    ) -> (OperationState.Action, waiters: [@Sendable (any Sendable) -> Void]) {
        let isSuccessful = if case .success = outcome { true } else { false }
        let now = now
        let (action, waiters, handlers) = state.withLock { state in
            let first = state.transfersEnded(successfully: isSuccessful, at: now)
            let (second, waiters, handlers) = state.finish(outcome)
            return (first.and(second), waiters, handlers)
        }
        withExtendedLifetime(handlers) {}
        return (action, waiters)
    }
}

// MARK: - Following the call

extension OperationRun {
    func callWillStart(_ control: CallControl) async {
        let (action, hasDeliveries) = state.withLock { ($0.start(), $0.hasDeliveries) }
        act(action)
        guard hasDeliveries else { return }
        let wait = Wait()
        act(state.withLock { $0.addBarrier { wait.finish() } })
        await wait.run(control)
    }

    /// Waits for the caller to finish its chain of handlers.
    ///
    /// Otherwise, an `onStart` handler could run too late to cancel the call. Only an operation that is retained without
    /// anything that ends the wait takes the full 50 milliseconds.
    private func waitForListener() async {
        if !state.withLock({ $0.hasListener }) {
            // Uses real time rather than the endpoint's clock, because it waits for another thread.
            await listening.run(control, atMost: .milliseconds(50), clock: .shared)
        }
        owner.withLock { $0.kept = $0.operation }
    }

    /// A handler that is added late receives the earlier attempts too.
    var isWatchingAttempts: Bool { true }

    var isWatchingTransfers: Bool { state.withLock { $0.isWatchingTransfers } }

    func callDidTransfer(_ count: TransferCount) {
        report { $0.transferred(count, at: $1) }
    }

    /// Reports a transfer, and after a while the latest count that came too early.
    private func report(_ change: (inout OperationState, UInt64) -> OperationState.Action) {
        let now = now
        let (action, delay) = state.withLock { state in
            (change(&state, now), state.takeTransferTimer(at: now))
        }
        act(action)
        guard let delay else { return }
        DispatchQueue.global()
            .asyncAfter(deadline: .now() + .nanoseconds(Int(delay))) { [weak self] in
                self?.report { $0.reportLatestTransfer(at: $1) }
            }
    }

    func callDidAttempt(_ info: DebugInfo) {
        act(state.withLock { $0.attempted(info) })
    }

    func act(_ action: OperationState.Action) {
        guard action == .drain else { return }
        let queue = callbackQueue
        queue.run { self.drain(on: queue) }
    }

    /// Runs the pending deliveries in order, and switches queues if the queue has changed.
    private func drain(on queue: CallbackQueue) {
        while true {
            let current = callbackQueue
            guard current == queue else {
                current.run { self.drain(on: current) }
                return
            }
            guard let delivery = state.withLock({ $0.nextDelivery() }) else { return }
            if delivery.isOnMain, !(current == .dispatch(.main)) {
                // Later deliveries wait, to keep the order.
                DispatchQueue.main.async {
                    SharedWork.run(asPartOf: self.origin, delivery.run)
                    current.run { self.drain(on: current) }
                }
                return
            }
            SharedWork.run(asPartOf: origin, delivery.run)
        }
    }

    private var callbackQueue: CallbackQueue {
        owner.withLock { owner in
            if let queue = owner.queue { return queue }
            let resolved = CallbackQueue(endpoint?.responseQueue)
            owner.queue = resolved
            return resolved
        }
    }
}

/// The caller's side of an operation.
///
/// It isn't generic, so that its code is compiled only once.
private struct OperationOwner {
    weak var operation: (any AnyObject & Sendable)?
    /// Retains the operation until the end, for weak references to it.
    var kept: (any AnyObject & Sendable)?
    /// The queue of the handlers, or nil until the first handler runs.
    var queue: CallbackQueue?
}
