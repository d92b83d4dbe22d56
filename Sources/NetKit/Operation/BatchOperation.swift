/// A batch of calls for requests of one type, each with its own result.
///
/// The batch starts at once, and you don't have to retain it. Handlers run one at a time, in the order of the events
/// they report. They run on the endpoint's `responseQueue`. Without one, they run on the main queue on Apple platforms,
/// and on NetKit's own threads on Linux. A handler added after an event is queued at once with what happened.
public final class BatchOperation<R: Request>: Sendable {
    private let run: BatchRun<R>

    init(_ requests: [R], on endpoint: Endpoint, maximumConcurrentRequests limit: Int) {
        let run = BatchRun<R>(count: requests.count, on: endpoint)
        self.run = run
        run.adopt(
            endpoint.start(
                requests,
                maximumConcurrentRequests: limit,
                observing: { run.observer(of: $0) },
                onEach: { run.ended($0, $1) },
                onCompletion: { run.finish($0) }
            )
        )
    }

    /// Cancels every call that hasn't ended.
    ///
    /// Each fails with `.cancelled`. Queued requests aren't sent. After the batch has ended, this method does nothing.
    public func cancel() {
        run.cancel()
    }

    /// The results in the order of the requests, once all calls have ended.
    ///
    /// Canceling the awaiting task doesn't cancel the calls. To cancel them, use ``cancel()``.
    public var results: [Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>] {
        get async { await run.results }
    }

    /// The values in the order of the requests, if every call succeeds.
    ///
    /// While a task awaits them, the first call that fails cancels the others. So does one that failed before. The
    /// error is thrown once all calls have ended, and the handlers get a `.cancelled` for each canceled call. Canceling
    /// the awaiting task cancels the calls.
    ///
    /// - Throws: The ``ErrorResponse`` of the call that failed first, in the order of completion.
    public var values: [R.ResponseObjectType] {
        get async throws(ErrorResponse<R.ErrorType>) { try await run.values() }
    }

    /// Adds a handler for the progress of each call and of the batch.
    ///
    /// A call's progress is that of ``RequestExecutionOperation/onProgress(_:)``: it covers the upload of the body, or
    /// else the download, and is 1 on success. If the length is unknown, the only value is 1. Reports of one call
    /// arrive at most about 20 times per second, always for the last byte, and once when the call ends, before
    /// ``onEach(_:)``. A call that fails keeps its value.
    ///
    /// In the batch's progress, each call has the same weight, whatever its length, and one that has ended counts as
    /// complete, also if it failed. It is exactly 1 in the report of the call that ends last.
    ///
    /// - Parameter closure: A closure that receives the zero-based index of the request, the progress of its call, and
    ///   the progress of the batch, each from 0 to 1. Both only increase. Added late, it first receives the latest
    ///   progress of each call, in the order of the requests.
    /// - Returns: The operation.
    @discardableResult
    public func onProgress(_ closure: @escaping @Sendable (Int, Double, Double) -> Void) -> Self {
        run.addProgressHandler { closure($0.index, $0.fraction, $0.total) }
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
        run.addEachHandler(closure)
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
        run.addOutcomeHandler(closure)
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
        let task = start(requests, maximumConcurrentRequests: limit)
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
    fileprivate func start<R: Request>(
        _ requests: [R],
        maximumConcurrentRequests limit: Int,
        observing observer: @escaping @Sendable (Int) -> (any CallObserver)? = { _ in nil },
        onEach: @escaping @Sendable (Int, CallResult<R>) -> Void = { _, _ in },
        onCompletion: @escaping @Sendable ([CallResult<R>]) -> Void = { _ in }
    ) -> Task<[CallResult<R>], Never> {
        let control = CallControl(clock: clock)
        register(control)
        let task = Task {
            // A batch in flight goes to its end where the endpoint is being shut down.
            let results = await UserCode.$belongsToCall.withValue(control.stopped == nil) {
                await self.results(
                    of: requests,
                    maximumConcurrentRequests: limit,
                    observing: observer,
                    onEach: onEach
                )
            }
            forget(control)
            onCompletion(results)
            return results
        }
        control.enter(TaskStop { task.cancel() })
        return task
    }

    private func results<R: Request>(
        of requests: [R],
        maximumConcurrentRequests limit: Int,
        observing observer: @escaping @Sendable (Int) -> (any CallObserver)?,
        onEach: @escaping @Sendable (Int, CallResult<R>) -> Void
    ) async -> [CallResult<R>] {
        await withTaskGroup(of: (Int, CallResult<R>).self) { group in
            var results: [Int: CallResult<R>] = [:]
            for (index, request) in requests.enumerated() {
                if index >= max(1, limit), let (ended, result) = await group.next() {
                    results[ended] = result
                }
                group.addTask {
                    let control = CallControl(clock: self.clock)
                    let result =
                        await self.perform(
                            request,
                            control: control,
                            observer: observer(index)
                        )
                        .map(\.value)
                    onEach(index, result)
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

    init(_ cancel: @escaping @Sendable () -> Void) {
        self.cancel = cancel
    }

    func stop(_ reason: StopReason) { cancel() }
}

/// The outcome of one call.
private typealias CallResult<R: Request> = Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>
