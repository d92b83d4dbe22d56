import Dispatch

/// A batch of calls for requests of one type, each with its own result.
///
/// The batch starts at once, and you don't have to retain it. Handlers run one at a time, in the order of the events
/// they report. They run on the endpoint's `responseQueue`. Without one, they run on the main queue on Apple platforms,
/// and on NetKit's own threads on Linux. A handler added after an event is queued at once with what happened.
public final class BatchOperation<R: Request>: Sendable {
    private let state = Locked(
        OperationState<[CallResult<R>], (index: Int, result: CallResult<R>)>()
    )
    private let task = Locked<Task<[CallResult<R>], Never>?>(nil)
    private let queue: CallbackQueue
    /// What the batch and its handlers belong to.
    private let origin = SharedWork.current

    init(_ requests: [R], on endpoint: Endpoint, maximumConcurrentRequests limit: Int) {
        queue = CallbackQueue(endpoint.responseQueue)
        let running = endpoint.start(requests, maximumConcurrentRequests: limit) { index, result in
            self.act(self.state.withLock { $0.attempted((index, result)) })
        } onCompletion: { results in
            self.finish(results)
        }
        task.withLock { $0 = running }
    }

    /// Cancels every call that hasn't ended.
    ///
    /// Each fails with `.cancelled`. Queued requests aren't sent. After the batch has ended, this method does nothing.
    public func cancel() {
        task.withLock { $0 }?.cancel()
    }

    /// The results in the order of the requests, once all calls have ended.
    ///
    /// Canceling the awaiting task doesn't cancel the calls. To cancel them, use ``cancel()``.
    public var results: [Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>] {
        get async { await task.withLock { $0 }?.value ?? [] }
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
        act(state.withLock { $0.addInfoHandler { closure($0.index, $0.result) } })
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
        act(state.withLock { $0.addOutcomeHandler(closure) })
        return self
    }

    private func finish(_ results: [CallResult<R>]) {
        act(state.withLock { $0.finish(results).action })
    }

    private func act(
        _ action: OperationState<[CallResult<R>], (index: Int, result: CallResult<R>)>.Action
    ) {
        guard action == .drain else { return }
        queue.run {
            while let delivery = self.state.withLock({ $0.nextDelivery() }) {
                SharedWork.run(asPartOf: self.origin, delivery.run)
            }
        }
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
        let task = start(requests, maximumConcurrentRequests: limit) { _, _ in
        } onCompletion: { _ in
        }
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
        onEach: @escaping @Sendable (Int, CallResult<R>) -> Void,
        onCompletion: @escaping @Sendable ([CallResult<R>]) -> Void
    ) -> Task<[CallResult<R>], Never> {
        let control = CallControl(clock: clock)
        register(control)
        let task = Task {
            // A batch in flight goes to its end where the endpoint is being shut down.
            let results = await UserCode.$belongsToCall.withValue(control.stopped == nil) {
                await self.results(of: requests, maximumConcurrentRequests: limit, onEach: onEach)
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
        onEach: @escaping @Sendable (Int, CallResult<R>) -> Void
    ) async -> [CallResult<R>] {
        await withTaskGroup(of: (Int, CallResult<R>).self) { group in
            var results: [Int: CallResult<R>] = [:]
            for (index, request) in requests.enumerated() {
                if index >= max(1, limit), let (ended, result) = await group.next() {
                    results[ended] = result
                }
                group.addTask {
                    let result: CallResult<R>
                    do throws(ErrorResponse<R.ErrorType>) {
                        result = .success(try await self.value(for: request))
                    } catch {
                        result = .failure(error)
                    }
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
