import Dispatch

/// Several calls of one type of request, each with a result of its own.
///
/// It starts on its own and nobody needs to hold it. Closures run one at a time, in the order of what
/// they tell of, on the endpoint's `responseQueue`, else where a ``RequestExecutionOperation`` runs its
/// own; one that is added after the fact runs at once with what happened.
public final class BatchOperation<R: Request>: Sendable {
    private let state = Locked(
        OperationState<[CallResult<R>], (index: Int, result: CallResult<R>)>()
    )
    private let task = Locked<Task<[CallResult<R>], Never>?>(nil)
    private let queue: CallbackQueue
    /// The refreshes that the batch works for, and so do its closures.
    private let refreshes = BearerAuthentication.refreshing

    init(_ requests: [R], on endpoint: Endpoint, atATime limit: Int) {
        queue = CallbackQueue(endpoint.responseQueue)
        let running = endpoint.start(requests, atATime: limit) { index, result in
            self.act(self.state.withLock { $0.attempted((index, result)) })
        } onCompletion: { results in
            self.finish(results)
        }
        task.withLock { $0 = running }
    }

    /// Cancels every call that has not ended; each fails with `.cancelled`.
    ///
    /// Those that wait for their turn are not sent. After the end it does nothing.
    public func cancel() {
        task.withLock { $0 }?.cancel()
    }

    /// The results, in the order of the requests, as soon as all are there.
    ///
    /// Cancelling the task that waits does not cancel the calls; ``cancel()`` does.
    public var results: [Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>] {
        get async { await task.withLock { $0 }?.value ?? [] }
    }

    /// Adds a closure that hears of each call that ends, in the order in which they end.
    ///
    /// - Parameter closure: Gets the place of the request, counted from 0, and its result.
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

    /// Adds a closure that hears once, when all calls have ended, and after ``onEach(_:)``.
    ///
    /// - Parameter closure: Gets the results, in the order of the requests.
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
                BearerAuthentication.working(for: self.refreshes, delivery.run)
            }
        }
    }
}

extension Endpoint {
    /// Sends several requests of one type, some at a time, and waits for all of them.
    ///
    /// One that fails does not stop the others. Cancelling the task cancels all that have not ended; each
    /// of them is `.cancelled`.
    ///
    /// - Parameters:
    ///   - requests: What to ask. Several types can be asked as ``AnyRequest``.
    ///   - limit: How many calls are under way at a time, at least 1. Defaults to 6.
    /// - Returns: What became of each, in the order of the requests.
    public func values<R: Request>(
        for requests: [R],
        atATime limit: Int = 6
    ) async -> [Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>] {
        let task = start(requests, atATime: limit) { _, _ in
        } onCompletion: { _ in
        }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Starts several calls of one type of request, some at a time.
    ///
    /// - Parameters:
    ///   - requests: What to ask. Several types can be asked as ``AnyRequest``.
    ///   - limit: How many calls are under way at a time, at least 1. Defaults to 6.
    /// - Returns: All of them together, to add closures to, to wait for or to cancel.
    @discardableResult
    public func execute<R: Request>(
        _ requests: [R],
        atATime limit: Int = 6
    ) -> BatchOperation<R> {
        BatchOperation(requests, on: self, atATime: limit)
    }

    /// Starts several calls in a task that ``cancelAllRequests()`` cancels from now on, with the requests that
    /// are not sent yet.
    fileprivate func start<R: Request>(
        _ requests: [R],
        atATime limit: Int,
        onEach: @escaping @Sendable (Int, CallResult<R>) -> Void,
        onCompletion: @escaping @Sendable ([CallResult<R>]) -> Void
    ) -> Task<[CallResult<R>], Never> {
        let control = CallControl(clock: clock)
        register(control)
        let task = Task {
            let results = await results(of: requests, atATime: limit, onEach: onEach)
            forget(control)
            onCompletion(results)
            return results
        }
        control.enter(TaskStop { task.cancel() })
        return task
    }

    private func results<R: Request>(
        of requests: [R],
        atATime limit: Int,
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

/// Passes a stop on to a task.
private final class TaskStop: Stoppable {
    private let cancel: @Sendable () -> Void

    init(_ cancel: @escaping @Sendable () -> Void) {
        self.cancel = cancel
    }

    func stop(_ reason: StopReason) { cancel() }
}

/// What a call ends with.
private typealias CallResult<R: Request> = Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>
