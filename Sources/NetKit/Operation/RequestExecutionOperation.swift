public import Dispatch
public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One call under way: the callback face of what `endpoint.value(for:)` does.
///
/// It starts on its own and nobody needs to hold it. Every closure may be added several times and
/// runs in the order added; one that is added after the fact runs at once with what happened.
/// Exactly one of `onSuccess` and `onFail` is called, once, after the last `onProgress` and
/// `onDebug`. Settings are read when they are needed, so that they can be given after the start.
///
/// Closures run one at a time on the queue given to ``response(on:)``, else on the endpoint's
/// `responseQueue`, else on the main queue on Apple's platforms, and elsewhere, where nothing may be
/// serving the main queue, on threads of NetKit's own: a closure that blocks there keeps no other one waiting.
public final class RequestExecutionOperation<T: Request>: Sendable {
    typealias Outcome = Result<Response<T.ResponseObjectType>, ErrorResponse<T.ErrorType>>

    let run: OperationRun<T>

    init(_ run: OperationRun<T>) {
        self.run = run
    }

    deinit { run.operationReleased() }

    /// The request that is being executed.
    public var request: T { run.request }

    /// What became of each attempt so far, in order, and why it was followed by another or not; also of a
    /// call that failed.
    public var history: [AttemptTrace] { run.control.history }

    /// Stops the call, whatever it is doing; it fails with `.cancelled`, once.
    ///
    /// May be called from any thread, at any moment, any number of times; after the end it does
    /// nothing. The connection is closed, whatever its server does.
    public func cancel() {
        run.control.stop(.cancelled)
    }
}

// MARK: - Settings

extension RequestExecutionOperation {
    /// Runs the closures on `queue`; those that are waiting to run, too.
    ///
    /// - Parameter queue: Any queue. They run one at a time and in order on a concurrent one as well.
    /// - Returns: The operation.
    @discardableResult
    public func response(on queue: DispatchQueue) -> Self {
        run.setQueue(queue)
        return self
    }

    /// The same as ``response(on:)``.
    ///
    /// - Parameter queue: Any queue.
    /// - Returns: The operation.
    @discardableResult
    public func responseOn(_ queue: DispatchQueue) -> Self {
        response(on: queue)
    }

    /// Decodes the response with `decoder` rather than the request's or the endpoint's.
    ///
    /// - Parameter decoder: The decoder. It decodes an error's body as well.
    /// - Returns: The operation.
    @discardableResult
    public func decode(with decoder: JSONDecoder) -> Self {
        run.control.update { $0.decoder = decoder }
        return self
    }

    /// Tries the call again up to `retryingCount` times, whatever its method.
    ///
    /// This is consent to send a POST or PATCH more than once; such a request gets one
    /// `Idempotency-Key`, the same in every attempt from here on. ``Request/retryPolicy``, else
    /// ``Endpoint/retryPolicy``, says which failures are retried and after what delay.
    ///
    /// - Parameter retryingCount: How often; 0 or less is never.
    /// - Returns: The operation.
    @discardableResult
    public func retryOnFail(_ retryingCount: Int) -> Self {
        run.control.update { $0.retries = max(0, retryingCount) }
        return self
    }

    /// Retries the call as often as its policy says, whatever its method; or never.
    ///
    /// The policy is ``Request/retryPolicy``, else ``Endpoint/retryPolicy``.
    ///
    /// - Parameter isRetrying: Whether to retry.
    /// - Returns: The operation.
    @discardableResult
    public func retryOnFail(_ isRetrying: Bool) -> Self {
        let policy = request.retryPolicy ?? run.endpoint?.retryPolicy ?? .never
        return retryOnFail(isRetrying ? policy.maximumRetries : 0)
    }

    /// Gives up when no byte was sent or received for so long: `.timeout(.idle)`.
    ///
    /// - Parameter interval: Seconds, exact to the millisecond; ``Timeouts/idle`` for this call.
    /// - Returns: The operation.
    @discardableResult
    public func timeout(after interval: TimeInterval) -> Self {
        run.control.update { $0.idleTimeout = Duration(timeout: interval) }
        return self
    }

    /// Gives up when the whole call, with its waits and retries, takes longer: `.timeout(.total)`.
    ///
    /// - Parameter limit: The limit, counted from when the operation was made; ``Timeouts/total``
    ///   for this call.
    /// - Returns: The operation.
    @discardableResult
    public func deadline(after limit: Duration) -> Self {
        run.control.update { $0.deadline = limit }
        if run.state.withLock({ $0.outcome == nil }) { run.control.setDeadline(limit) }
        return self
    }
}

// MARK: - Async

extension RequestExecutionOperation {
    /// The value, as soon as there is one.
    ///
    /// Any number of tasks may wait. Cancelling one of them cancels the call.
    ///
    /// - Throws: The call's one error.
    public var value: T.ResponseObjectType {
        get async throws(ErrorResponse<T.ErrorType>) { try await response.value }
    }

    /// The value together with the response that it came from.
    ///
    /// Any number of tasks may wait. Cancelling one of them cancels the call.
    ///
    /// - Throws: The call's one error.
    public var response: Response<T.ResponseObjectType> {
        get async throws(ErrorResponse<T.ErrorType>) { try await outcome.get() }
    }

    private var outcome: Outcome {
        get async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let waiter: @Sendable (ErasedOutcome) -> Void = { outcome in
                        TypedOutcome<T>.read(outcome) { continuation.resume(returning: $0) }
                    }
                    let outcome = run.state.withLock { $0.addWaiter(waiter) }
                    run.listenerAdded()
                    if let outcome { waiter(outcome) }
                }
            } onCancel: {
                cancel()
            }
        }
    }
}

/// The same type under the name that some users know.
public typealias ExecutionOperation<T: Request> = RequestExecutionOperation<T>

/// The same type under the name that some users know.
public typealias ResponseInfoBuilder<T: Request> = RequestExecutionOperation<T>
