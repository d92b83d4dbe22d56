public import Dispatch
public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One call in flight, as an object that takes handlers.
///
/// The call starts at once, and you don't have to retain the operation. To await a value without handlers, use
/// `endpoint.value(for:)` instead.
///
/// - You can add each handler several times. Handlers run in the order in which you add them.
/// - A handler that you add after an event runs at once with what happened.
/// - Exactly one of `onSuccess` and `onFail` runs, once, after the last `onProgress` and `onDebug`.
/// - Settings take effect when they are read, so you can change them after the start.
///
/// Handlers run one at a time on the queue of ``response(on:)``, or else on the endpoint's `responseQueue`. Without
/// either, they run on the main queue on Apple platforms, and on NetKit's own threads on other platforms. A handler
/// that blocks one of those threads doesn't delay others.
public final class RequestExecutionOperation<T: Request>: Sendable {
    typealias Outcome = Result<Response<T.ResponseObjectType>, ErrorResponse<T.ErrorType>>

    let run: OperationRun<T>

    init(_ run: OperationRun<T>) {
        self.run = run
    }

    deinit { run.operationReleased() }

    /// The request of the call.
    public var request: T { run.request }

    /// The attempts so far, in order, with their outcomes.
    ///
    /// Each also has the reason for the step that followed. Available during the call and after it, whatever its
    /// outcome.
    public var history: [AttemptTrace] { run.control.history }

    /// Cancels the call, which fails with `.cancelled`, once.
    ///
    /// You can call this method from any thread, at any time, and more than once. It closes the connection without
    /// waiting for the server. After the call has ended, it does nothing.
    public func cancel() {
        run.control.stop(.cancelled)
    }
}

// MARK: - Settings

extension RequestExecutionOperation {
    /// Sets the queue for the handlers, including those that wait to run.
    ///
    /// - Parameter queue: Any queue. Handlers run one at a time and in order, even on a concurrent queue.
    /// - Returns: The operation.
    @discardableResult
    public func response(on queue: DispatchQueue) -> Self {
        run.setQueue(queue)
        return self
    }

    /// Sets the queue for the handlers, as ``response(on:)`` does.
    ///
    /// - Parameter queue: Any queue.
    /// - Returns: The operation.
    @discardableResult
    public func responseOn(_ queue: DispatchQueue) -> Self {
        response(on: queue)
    }

    /// Sets the decoder, in place of the request's or the endpoint's.
    ///
    /// - Parameter decoder: The decoder, which also decodes error bodies.
    /// - Returns: The operation.
    @discardableResult
    public func decode(with decoder: JSONDecoder) -> Self {
        run.control.update { $0.decoder = decoder }
        return self
    }

    /// Retries the call up to `retryingCount` times, whatever its method.
    ///
    /// This gives consent to send a POST or PATCH more than once. Such a request gets an `Idempotency-Key`, which is
    /// the same in every attempt from here on. ``Request/retryPolicy``, or else ``Endpoint/retryPolicy``, determines
    /// which failures are retried and after what delay.
    ///
    /// - Parameter retryingCount: The maximum number of retries. 0 or less means never.
    /// - Returns: The operation.
    @discardableResult
    public func retryOnFail(_ retryingCount: Int) -> Self {
        run.control.update { $0.retries = max(0, retryingCount) }
        return self
    }

    /// Retries the call as often as its policy allows, whatever its method, or never.
    ///
    /// The policy is ``Request/retryPolicy``, or else ``Endpoint/retryPolicy``.
    ///
    /// - Parameter isRetrying: Whether to retry.
    /// - Returns: The operation.
    @discardableResult
    public func retryOnFail(_ isRetrying: Bool) -> Self {
        let policy = request.retryPolicy ?? run.endpoint?.retryPolicy ?? .never
        return retryOnFail(isRetrying ? policy.maximumRetries : 0)
    }

    /// Sets the idle timeout: the maximum time without a byte sent or received.
    ///
    /// A call that exceeds it fails with `.timeout(.idle)`. It takes the place of ``Timeouts/idle`` for this call.
    ///
    /// - Parameter limit: The limit, exact to the millisecond, and at least one millisecond.
    /// - Returns: The operation.
    @discardableResult
    public func timeout(after limit: Duration) -> Self {
        run.control.update { $0.idleTimeout = Duration(timeout: limit) }
        return self
    }

    /// Sets the idle timeout in seconds.
    ///
    /// - Parameter interval: The limit in seconds, exact to the millisecond.
    /// - Returns: The operation.
    @available(*, deprecated, message: "use a Duration: timeout(after: .seconds(5))")
    @discardableResult
    public func timeout(after interval: TimeInterval) -> Self {
        timeout(after: Duration(timeout: interval))
    }

    /// Limits the whole call, including retries and delays.
    ///
    /// A call that exceeds the limit fails with `.timeout(.total)`. It takes the place of ``Timeouts/total`` for this
    /// call.
    ///
    /// - Parameter limit: The limit, counted from the creation of the operation.
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
    /// The decoded value, once the call succeeds.
    ///
    /// Several tasks can await it. Canceling one of them cancels the call.
    ///
    /// - Throws: The call's ``ErrorResponse``.
    public var value: T.ResponseObjectType {
        get async throws(ErrorResponse<T.ErrorType>) { try await response.value }
    }

    /// The decoded value with its response, once the call succeeds.
    ///
    /// Several tasks can await it. Canceling one of them cancels the call.
    ///
    /// - Throws: The call's ``ErrorResponse``.
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

/// Another name for ``RequestExecutionOperation``, for code migrated from other libraries.
public typealias ExecutionOperation<T: Request> = RequestExecutionOperation<T>

/// Another name for ``RequestExecutionOperation``, for code migrated from other libraries.
public typealias ResponseInfoBuilder<T: Request> = RequestExecutionOperation<T>
