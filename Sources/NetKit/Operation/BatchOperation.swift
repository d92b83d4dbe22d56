import NetKitSupport

/// A batch of calls for requests of one type, each with its own result.
///
/// The batch starts at once, and you don't have to retain it. Handlers run one at a time, in the order of the events
/// they report. They run on the endpoint's `responseQueue`. Without one, they run on the main queue on Apple platforms,
/// and on NetKit's own threads on Linux. A handler added after an event is queued at once with what happened.
public final class BatchOperation<R: Request>: Sendable {
    private struct State: ~Copyable {
        var operation = OperationState()
        var progress: BatchProgress
        var progressHandlers: [@Sendable (BatchProgress.Report) -> Void] = []
        /// The first error of a call, in the order of completion.
        var firstError: ErrorResponse<R.ErrorType>?
        /// Whether a failed call cancels the others.
        var isFailingFast = false
        /// The task of the calls, once it is started.
        var task: Task<[CallResult<R>], Never>?
    }

    private let state: Locked<State>
    private let clock: DeadlineClock
    private let queue: CallbackQueue
    /// What the batch and its handlers belong to.
    private let origin = SharedWork.parts

    /// Starts the calls, whose task retains the batch until all have ended.
    init(_ requests: [R], on endpoint: Endpoint, maximumConcurrentRequests limit: Int) {
        state = Locked(State(progress: BatchProgress(of: requests.count)))
        clock = endpoint.clock
        queue = CallbackQueue(endpoint.responseQueue)
        let task = endpoint.start(requests, maximumConcurrentRequests: limit, of: self)
        state.withLock { $0.task = task }
    }

    /// Cancels every call that hasn't ended.
    ///
    /// Each fails with `.cancelled`. Queued requests aren't sent. After the batch has ended, this method does nothing.
    public func cancel() { state.withLock { $0.task }?.cancel() }

    /// The results in the order of the requests, once all calls have ended.
    ///
    /// Canceling the awaiting task doesn't cancel the calls. To cancel them, use ``cancel()``.
    public var results: [Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>] {
        get async { await state.withLock { $0.task }?.value ?? [] }
    }

    /// The values in the order of the requests, if every call succeeds.
    ///
    /// While a task awaits them, the first call that fails cancels the others. So does one that failed before. The
    /// error is thrown once all calls have ended, and the handlers get a `.cancelled` for each canceled call. Canceling
    /// the awaiting task cancels the calls.
    ///
    /// - Throws: The ``ErrorResponse`` of the call that failed first, in the order of completion.
    public var values: [R.ResponseObjectType] {
        get async throws(ErrorResponse<R.ErrorType>) {
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

    /// Adds a handler for the progress of each call and of the batch.
    ///
    /// A call's progress is that of ``RequestExecutionOperation/onProgress(_:)``: it covers the upload of the body, or
    /// else the download, and is 1 on success. If the length is unknown, the only value is 1. Reports of one call
    /// arrive at most about 20 times per second, always for the last byte, and once when the call ends, before
    /// ``onEach(_:)``. A call that fails keeps its value.
    ///
    /// In the batch's progress, each call has the same weight, whatever its length, and one that has ended counts as
    /// complete, even if it failed. It is exactly 1 in the report of the call that ends last.
    ///
    /// - Parameter closure: A closure that receives the zero-based index of the request, the progress of its call, and
    ///   the progress of the batch, each from 0 to 1. Both only increase. Added late, it first receives the latest
    ///   progress of each call, in the order of the requests.
    /// - Returns: The operation.
    @discardableResult
    public func onProgress(_ closure: @escaping @Sendable (Int, Double, Double) -> Void) -> Self {
        let handler: @Sendable (BatchProgress.Report) -> Void = {
            closure($0.index, $0.fraction, $0.total)
        }
        act(
            state.withLock { state in
                if state.operation.outcome == nil { state.progressHandlers.append(handler) }
                let reports = state.progress.reports
                guard !reports.isEmpty else { return .nothing }
                return state.operation.addBarrier { for report in reports { handler(report) } }
            }
        )
        return self
    }

    /// Adds a handler for each call that ends, in the order of completion.
    ///
    /// - Parameter closure: A closure that receives the zero-based index of the request and its result.
    /// - Returns: The operation.
    @discardableResult
    public func onEach(
        _ closure:
            @escaping @Sendable (Int, Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>) ->
            Void
    ) -> Self {
        let handler: @Sendable (any Sendable) -> Void = {
            if let end = $0 as? CallEnd<R> { closure(end.index, end.result) }
        }
        act(state.withLock { $0.operation.addInfoHandler(handler) })
        return self
    }

    /// Adds a handler that runs once when all calls have ended, after ``onEach(_:)``.
    ///
    /// - Parameter closure: A closure that receives the results in the order of the requests.
    /// - Returns: The operation.
    @discardableResult
    public func onCompletion(
        _ closure:
            @escaping @Sendable ([Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>]) -> Void
    ) -> Self {
        let handler: @Sendable (any Sendable) -> Void = {
            if let results = $0 as? [CallResult<R>] { closure(results) }
        }
        act(state.withLock { $0.operation.addOutcomeHandler(handler) })
        return self
    }
}

extension Endpoint {
    /// Sends several requests of one type and returns all results.
    ///
    /// A failed call doesn't stop the others. Canceling the task cancels all calls that haven't ended, and each of them
    /// fails with `.cancelled`.
    ///
    /// - Parameters:
    ///   - requests: The requests to send. To mix types, use ``AnyRequest``.
    ///   - limit: The maximum number of calls in flight, at least 1. Defaults to 6.
    /// - Returns: The results in the order of the requests.
    public func values<R: Request>(
        for requests: [R],
        maximumConcurrentRequests limit: Int = 6
    ) async -> [Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>] {
        let task = start(requests, maximumConcurrentRequests: limit, of: nil)
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Starts calls for several requests of one type.
    ///
    /// - Parameters:
    ///   - requests: The requests to send. To mix types, use ``AnyRequest``.
    ///   - limit: The maximum number of calls in flight, at least 1. Defaults to 6.
    /// - Returns: The batch, for adding handlers, awaiting the results, or canceling the calls.
    @discardableResult
    public func execute<R: Request>(
        _ requests: [R],
        maximumConcurrentRequests limit: Int = 6
    ) -> BatchOperation<R> {
        BatchOperation(requests, on: self, maximumConcurrentRequests: limit)
    }

    /// Starts the calls in a task that ``cancelAllRequests()`` cancels, including unsent requests.
    ///
    /// - Parameters:
    ///   - requests: The requests to send.
    ///   - limit: The maximum number of calls in flight.
    ///   - batch: The batch to report to, if there is one.
    /// - Returns: The task, whose value is the results in the order of the requests.
    fileprivate func start<R: Request>(
        _ requests: [R],
        maximumConcurrentRequests limit: Int,
        of batch: BatchOperation<R>?
    ) -> Task<[CallResult<R>], Never> {
        let control = CallControl(clock: clock)
        register(control)
        let task = Task {
            // A batch in flight goes to its end where the endpoint is being shut down.
            let results = await CallControl.$runsCode.withValue(control.stopped == nil) {
                await self.results(of: requests, maximumConcurrentRequests: limit, of: batch)
            }
            forget(control)
            batch?.finish(results)
            return results
        }
        control.enter(TaskStop { task.cancel() })
        return task
    }

    private func results<R: Request>(
        of requests: [R],
        maximumConcurrentRequests limit: Int,
        of batch: BatchOperation<R>?
    ) async -> [CallResult<R>] {
        await withTaskGroup(of: (Int, CallResult<R>).self) { group in
            var results: [Int: CallResult<R>] = [:]
            for (index, request) in requests.enumerated() {
                if index >= max(1, limit), let (ended, result) = await group.next() {
                    results[ended] = result
                }
                group.addTask {
                    var call = self.call(request)
                    call.observer = batch.map { BatchCallObserver($0, index) }
                    let result = await self.outcome(of: call).map(\.value)
                    batch?.ended(index, result)
                    return (index, result)
                }
            }
            for await (ended, result) in group { results[ended] = result }
            return requests.indices.compactMap { results[$0] }
        }
    }
}

/// Forwards a stop to a task.
private final class TaskStop: Stoppable {
    private let cancel: @Sendable () -> Void

    init(_ cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }

    func stop(_ reason: StopReason) { cancel() }
}

/// The outcome of one call.
private typealias CallResult<R: Request> = Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>

/// The result of a call of a batch.
private struct CallEnd<R: Request>: Sendable {
    let index: Int
    let result: CallResult<R>
}

// MARK: - Events

extension BatchOperation {
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
    fileprivate func ended(_ index: Int, _ result: CallResult<R>) {
        let (action, isStopping) = state.withLock { state in
            var isSuccessful = true
            if case .failure(let error) = result {
                isSuccessful = false
                state.firstError = state.firstError ?? error
            }
            let report = state.progress.ended(index, successfully: isSuccessful)
            let first = Self.enqueue(report, &state)
            let second = state.operation.attempted(CallEnd<R>(index: index, result: result))
            return (first.and(second), state.isFailingFast && state.firstError != nil)
        }
        if isStopping { cancel() }
        act(action)
    }

    /// Records the end of all calls.
    fileprivate func finish(_ results: [CallResult<R>]) {
        let (action, handlers) = state.withLock { state in
            let end = state.operation.finish(results)
            defer { state.progressHandlers = [] }
            return (end.action, (end.handlers, state.progressHandlers))
        }
        // Released outside of the lock: what handlers hold may use the batch as it is released.
        withExtendedLifetime(handlers) {}
        act(action)
    }

    private static func enqueue(
        _ report: BatchProgress.Report,
        _ state: inout State
    ) -> OperationState.Action {
        let handlers = state.progressHandlers
        guard !handlers.isEmpty else { return .nothing }
        return state.operation.addBarrier { for handler in handlers { handler(report) } }
    }

    private func act(_ action: OperationState.Action) {
        guard action == .drain else { return }
        queue.run {
            while let delivery = self.state.withLock({ $0.operation.nextDelivery() }) {
                SharedWork.run(asPartOf: self.origin, delivery.run)
            }
        }
    }
}

/// Passes the transfers of a call to its batch, also without a handler: one that is added late receives the progress.
private final class BatchCallObserver<R: Request>: CallObserver {
    private let batch: BatchOperation<R>
    private let index: Int

    init(_ batch: BatchOperation<R>, _ index: Int) {
        self.batch = batch
        self.index = index
    }

    func callDidTransfer(_ count: TransferCount) { batch.transferred(count, of: index) }
}
