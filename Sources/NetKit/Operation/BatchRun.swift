/// The state of a batch and its handlers, apart from its task.
///
/// It lives until every call has ended and every handler has run, even if the batch is released earlier.
final class BatchRun<R: Request>: Sendable {
    typealias CallResult = Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>
    typealias ProgressHandler = @Sendable (BatchProgress.Report) -> Void

    private struct State {
        var operation = OperationState<[CallResult], (index: Int, result: CallResult)>()
        var progress: BatchProgress
        var progressHandlers: [ProgressHandler] = []
        /// The first error of a call, in the order of completion.
        var firstError: ErrorResponse<R.ErrorType>?
        /// Whether a failed call cancels the others.
        var isFailingFast = false
    }

    private typealias Action = OperationState<
        [CallResult], (index: Int, result: CallResult)
    >.Action

    private let state: Locked<State>
    private let task = Locked<Task<[CallResult], Never>?>(nil)
    private let clock: DeadlineClock
    private let queue: CallbackQueue
    /// What the batch and its handlers belong to.
    private let origin = SharedWork.current

    init(count: Int, on endpoint: Endpoint) {
        state = Locked(State(progress: BatchProgress(of: count)))
        clock = endpoint.clock
        queue = CallbackQueue(endpoint.responseQueue)
    }

    /// Stores the task of the calls.
    func adopt(_ task: Task<[CallResult], Never>) {
        self.task.withLock { $0 = task }
    }

    /// Cancels the calls that haven't ended.
    func cancel() {
        task.withLock { $0 }?.cancel()
    }

    /// The results in the order of the requests.
    var results: [CallResult] {
        get async { await task.withLock { $0 }?.value ?? [] }
    }

    /// The values in the order of the requests, or the first error, which cancels the calls that haven't ended.
    func values() async throws(ErrorResponse<R.ErrorType>) -> [R.ResponseObjectType] {
        let hasFailed = state.withLock { state in
            state.isFailingFast = true
            return state.firstError != nil
        }
        if hasFailed { cancel() }
        let results = await withTaskCancellationHandler {
            await self.results
        } onCancel: {
            cancel()
        }
        if let error = state.withLock({ $0.firstError }) { throw error }
        var values: [R.ResponseObjectType] = []
        for result in results { values.append(try result.get()) }
        return values
    }
}

// MARK: - Events

extension BatchRun {
    /// Records the transfer of a call.
    fileprivate func transferred(_ count: TransferCount, of index: Int) {
        guard count.isMain, let fraction = count.fractionCompleted else { return }
        let now = clock.now
        act(
            state.withLock { state in
                guard state.operation.outcome == nil,
                    let report = state.progress.progressed(to: fraction, of: index, at: now)
                else { return .nothing }
                return Self.enqueue(report, &state)
            }
        )
    }

    /// Records the result of a call.
    func ended(_ index: Int, _ result: CallResult) {
        let (action, isStopping) = state.withLock { state -> (Action, Bool) in
            var isSuccessful = true
            if case .failure(let error) = result {
                isSuccessful = false
                state.firstError = state.firstError ?? error
            }
            let report = state.progress.ended(index, successfully: isSuccessful)
            let first = Self.enqueue(report, &state)
            let second = state.operation.attempted((index, result))
            return (first.and(second), state.isFailingFast && state.firstError != nil)
        }
        if isStopping { cancel() }
        act(action)
    }

    /// Records the end of all calls.
    func finish(_ results: [CallResult]) {
        act(
            state.withLock { state in
                state.progressHandlers = []
                return state.operation.finish(results).action
            }
        )
    }

    /// Adds a handler for the end of each call.
    func addEachHandler(_ handler: @escaping @Sendable (Int, CallResult) -> Void) {
        act(state.withLock { $0.operation.addInfoHandler { handler($0.index, $0.result) } })
    }

    /// Adds a handler for the end of the batch.
    func addOutcomeHandler(_ handler: @escaping @Sendable ([CallResult]) -> Void) {
        act(state.withLock { $0.operation.addOutcomeHandler(handler) })
    }

    /// Adds a handler for progress.
    ///
    /// A late one receives the latest report of each call.
    func addProgressHandler(_ handler: @escaping ProgressHandler) {
        act(
            state.withLock { state in
                if state.operation.outcome == nil { state.progressHandlers.append(handler) }
                let reports = state.progress.reports
                guard !reports.isEmpty else { return .nothing }
                return state.operation.addBarrier { for report in reports { handler(report) } }
            }
        )
    }

    /// The observer of a call.
    func observer(of index: Int) -> any CallObserver {
        BatchCallObserver { self.transferred($0, of: index) }
    }

    private static func enqueue(_ report: BatchProgress.Report, _ state: inout State) -> Action {
        let handlers = state.progressHandlers
        guard !handlers.isEmpty else { return .nothing }
        return state.operation.addBarrier { for handler in handlers { handler(report) } }
    }

    private func act(_ action: Action) {
        guard action == .drain else { return }
        queue.run {
            while let delivery = self.state.withLock({ $0.operation.nextDelivery() }) {
                SharedWork.run(asPartOf: self.origin, delivery.run)
            }
        }
    }
}

/// Passes the transfers of a call to its batch.
private final class BatchCallObserver: CallObserver {
    private let onTransfer: @Sendable (TransferCount) -> Void

    init(_ onTransfer: @escaping @Sendable (TransferCount) -> Void) {
        self.onTransfer = onTransfer
    }

    /// A handler that is added late receives the progress so far.
    var isWatchingTransfers: Bool { true }
    var isWatchingAttempts: Bool { false }
    func callWillStart(_ control: CallControl) async {}
    func callDidTransfer(_ count: TransferCount) { onTransfer(count) }
    func callDidAttempt(_ info: DebugInfo) {}
}
