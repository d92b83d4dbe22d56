import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The call behind an operation: it lives until the call has ended and every handler has run, with or without the
/// operation.
final class OperationRun<T: Request>: CallObserver {
    typealias Outcome = RequestExecutionOperation<T>.Outcome
    /// The same for requests of every type, so that its code is compiled once.
    typealias State = OperationState<ErasedOutcome, DebugInfo>

    let request: T
    let endpoint: Endpoint?
    let control: CallControl
    let state = Locked(State())
    private let owner = Locked(OperationOwner())
    /// The refreshes that the call works for, and so do its handlers.
    private let refreshes = BearerAuthentication.refreshing

    init(_ request: T, on endpoint: Endpoint?, settings: CallSettings) {
        self.request = request
        self.endpoint = endpoint
        control = CallControl(clock: endpoint?.clock ?? .shared, settings: settings)
    }

    /// Runs the call in a task of its own, which keeps the endpoint alive and has the task-local values of the caller.
    ///
    /// The call is registered first, so that ``Endpoint/cancelAllRequests()`` reaches it from here on.
    func start() {
        endpoint?.register(control)
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // Up to the wait for a handler in the caller's thread: no other one has to be woken for that.
            Task.immediate { await self.run() }
        } else {
            Task { await self.run() }
        }
    }

    /// Notes the operation that the caller gets.
    func adopt(_ operation: RequestExecutionOperation<T>) {
        owner.withLock { $0.operation = operation }
    }

    /// The operation that the caller got; nil once it is released.
    var operation: RequestExecutionOperation<T>? {
        owner.withLock { $0.operation } as? RequestExecutionOperation<T>
    }

    /// Runs the handlers on another queue.
    func setQueue(_ queue: DispatchQueue) {
        owner.withLock { $0.queue = CallbackQueue(queue) }
    }

    /// Ends the wait for handlers: the operation is released, and with it the way to add one.
    ///
    /// This may run wherever a handler is released: it takes no lock under which one could be.
    func operationReleased() {
        let wake = owner.withLock { $0.listening.release() }
        wake?()
    }

    /// A handler of the outcome was added, or a task awaits it.
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
        finish(await endpoint.perform(request, control: control, observer: self))
    }

    private func finish(_ outcome: Outcome) {
        let isSuccess = if case .success = outcome { true } else { false }
        let erased = TypedOutcome<T>(outcome)
        let now = (endpoint?.clock ?? .shared).now
        let (action, waiters) = state.withLock { state in
            let first = state.transfersEnded(successfully: isSuccess, at: now)
            let (second, waiters) = state.finish(erased)
            return (first.and(second), waiters)
        }
        for waiter in waiters { waiter(erased) }
        act(action)
        let kept = owner.withLock { owner in
            defer { owner.kept = nil }
            return owner.kept
        }
        // Released here, outside the lock.
        withExtendedLifetime(kept) {}
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

    /// Lets the caller finish its chain of handlers first: an `onStart` that is added after the request was sent could
    /// not cancel it in time.
    ///
    /// The wait ends with the first handler of the outcome, the first task that awaits it, or the release of the
    /// operation. Only an operation that is kept without any of them waits for 50 milliseconds.
    private func waitForListener() async {
        let wait = Wait()
        // In this order: a handler that is added after the question ends the wait.
        if owner.withLock({ $0.listening.wait { wait.finish() } }),
            !state.withLock({ $0.hasListener })
        {
            // In real time, whatever the endpoint's clock: it is about threads.
            await wait.run(control, atMost: .milliseconds(50), clock: .shared)
        }
        owner.withLock { $0.kept = $0.operation }
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
                act(state.withLock { $0.reportLatestTransfer(at: now) })
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
            if delivery.isOnMain, !(current == .dispatch(.main)) {
                // The others wait, so that the order stays.
                DispatchQueue.main.async {
                    BearerAuthentication.working(for: self.refreshes, delivery.run)
                    current.run { self.drain(on: current) }
                }
                return
            }
            BearerAuthentication.working(for: refreshes, delivery.run)
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

/// The caller's side of an operation; the same for requests of every type, so that its code is compiled once.
private struct OperationOwner {
    weak var operation: (any AnyObject & Sendable)?
    /// Keeps the operation until the end, so that weak references to one that is in use stay valid.
    var kept: (any AnyObject & Sendable)?
    var listening = ListenerWait()
    /// Where the handlers run; nil until the first one does.
    var queue: CallbackQueue?
}

/// The outcome of a call whose request's type is not said.
class ErasedOutcome: @unchecked Sendable {
    // Proof: it has no state, and its one subclass has a constant alone.
    fileprivate init() {}
}

/// The outcome of a call of one type of request.
final class TypedOutcome<T: Request>: ErasedOutcome, @unchecked Sendable {
    // Proof: a constant that is Sendable itself.
    private let outcome: RequestExecutionOperation<T>.Outcome

    init(_ outcome: RequestExecutionOperation<T>.Outcome) {
        self.outcome = outcome
        super.init()
    }

    /// Gives what is in `erased`, which an operation of `T` made.
    static func read(
        _ erased: ErasedOutcome,
        _ body: (RequestExecutionOperation<T>.Outcome) -> Void
    ) {
        guard let typed = erased as? TypedOutcome<T> else { return }
        body(typed.outcome)
    }
}
