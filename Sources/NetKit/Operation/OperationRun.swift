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

    /// Ends the wait for handlers, because the operation was released.
    func operationReleased() {
        let wake = owner.withLock { $0.listening.release() }
        wake?()
    }

    /// Ends the wait for handlers, because an outcome handler or an awaiting task was added.
    func listenerAdded() {
        let wake = owner.withLock { $0.listening.end() }
        wake?()
    }

    private func run() async {
        await waitForListener()
        guard let endpoint else {
            let failure = ErrorResponse<T.ErrorType>
                .invalidRequest(InvalidRequest(.missingEndpoint))
            callDidAttempt(
                DebugInfo(
                    sessionConfiguration: .default,
                    request: nil,
                    response: nil,
                    error: failure,
                    duration: 0
                )
            )
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
        let now = (endpoint?.clock ?? .shared).now
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
    /// Otherwise, an `onStart` handler could run too late to cancel the call. The wait ends with the first outcome
    /// handler, the first awaiting task, or the release of the operation. Only an operation that is retained without
    /// any of them waits the full 50 milliseconds.
    private func waitForListener() async {
        let wait = Wait()
        // The order matters: a handler added after this check ends the wait.
        if owner.withLock({ $0.listening.wait { wait.finish() } }),
            !state.withLock({ $0.hasListener })
        {
            // Uses real time rather than the endpoint's clock, because it waits for another thread.
            await wait.run(control, atMost: .milliseconds(50), clock: .shared)
        }
        owner.withLock { $0.kept = $0.operation }
    }

    /// A handler that is added late receives the earlier attempts too.
    var isWatchingAttempts: Bool { true }

    var isWatchingTransfers: Bool { state.withLock { $0.isWatchingTransfers } }

    func callDidTransfer(_ count: TransferCount) {
        let now = (endpoint?.clock ?? .shared).now
        let (action, delay) = state.withLock { state in
            (state.transferred(count, at: now), state.takeTransferTimer(at: now))
        }
        act(action)
        if let delay { reportLatestTransfer(after: delay) }
    }

    private func reportLatestTransfer(after delay: UInt64) {
        DispatchQueue.global()
            .asyncAfter(deadline: .now() + .nanoseconds(Int(delay))) { [weak self] in
                guard let self else { return }
                let now = (endpoint?.clock ?? .shared).now
                let (action, delay) = state.withLock { state in
                    (state.reportLatestTransfer(at: now), state.takeTransferTimer(at: now))
                }
                act(action)
                if let delay { reportLatestTransfer(after: delay) }
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
    var listening = ListenerWait()
    /// The queue of the handlers, or nil until the first handler runs.
    var queue: CallbackQueue?
}

/// A pure value that tracks a call's wait for its first outcome handler.
///
/// The release of the operation also ends the wait.
struct ListenerWait: Sendable {
    private var wake: (@Sendable () -> Void)?
    private var isReleased = false

    /// Starts the wait.
    ///
    /// - Parameter wake: A closure to call when the wait is over.
    /// - Returns: `false` if the operation is already released, in which case there is no wait.
    mutating func wait(_ wake: @escaping @Sendable () -> Void) -> Bool {
        guard !isReleased else { return false }
        self.wake = wake
        return true
    }

    /// Ends the wait.
    ///
    /// - Returns: The closure to call, once.
    mutating func end() -> (@Sendable () -> Void)? {
        defer { wake = nil }
        return wake
    }

    /// Ends the wait because the operation was released and can't get any more handlers.
    ///
    /// - Returns: The closure to call, once.
    mutating func release() -> (@Sendable () -> Void)? {
        isReleased = true
        return end()
    }
}
