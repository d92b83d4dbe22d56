public import Dispatch
public import Foundation
import NetKitSupport

/// One call in flight, as an object that takes handlers.
///
/// The call starts at once, and you don't have to retain the operation. To await a value without handlers, use
/// `endpoint.value(for:)` instead.
///
/// - You can add each handler several times. Handlers run in the order in which you add them.
/// - A handler that you add after an event runs at once with what happened.
/// - Exactly one of `onSuccess` and `onFail` runs, once, after the last `onProgress` and `onDebug`.
/// - Settings take effect when they are read, so you can change them after the start. A call that shares a transfer, see
///   ``Request/isCoalesced``, has the idle timeout and the retries of the call that started it.
///
/// Handlers run one at a time on the queue of ``response(on:)``, or else on the endpoint's `responseQueue`. Without
/// either, they run on the main queue on Apple platforms, and on NetKit's own threads on other platforms. A handler
/// that blocks one of those threads doesn't delay others.
public final class RequestExecutionOperation<T: Request>: Sendable {
    typealias Outcome = Result<Response<T.ResponseObjectType>, ErrorResponse<T.ErrorType>>

    let run: OperationRun<T>

    init(_ run: OperationRun<T>) { self.run = run }

    deinit { run.listening.finish() }

    /// The request of the call.
    public var request: T { run.request }

    /// The control of the call.
    package var control: CallControl { run.control }

    /// The attempts so far, in order, with their outcomes.
    ///
    /// Each also has the reason for the step that followed. Available during the call and after it, whatever its
    /// outcome.
    public var history: [AttemptTrace] { run.control.history }

    /// Cancels the call, which fails with `.cancelled`, once.
    ///
    /// You can call this method from any thread, at any time, and more than once. It closes the connection without
    /// waiting for the server. After the call has ended, it does nothing.
    public func cancel() { run.control.stop(.cancelled) }
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
    /// Several tasks can await it. Canceling one of them cancels the call. The handlers of the operation may run after
    /// that, on their queue.
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
                    let waiter: @Sendable (any Sendable) -> Void = {
                        if let outcome = $0 as? Outcome { continuation.resume(returning: outcome) }
                    }
                    let outcome = run.state.withLock { $0.addWaiter(waiter) }
                    run.listening.finish()
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

extension RequestExecutionOperation {
    /// Adds a handler that runs once, before the request is first sent.
    ///
    /// The request waits for start handlers that are added before the first ``onSuccess(_:)`` or ``onFail(_:)``, or
    /// within 50 milliseconds. A ``cancel()`` in such a handler means that nothing is sent.
    ///
    /// - Parameter closure: The closure to run.
    /// - Returns: The operation.
    @discardableResult
    public func onStart(_ closure: @escaping @Sendable () -> Void) -> Self {
        run.act(run.state.withLock { $0.addStartHandler(closure) })
        return self
    }

    /// Adds a handler that runs once with the operation, before the request is first sent.
    ///
    /// - Parameter closure: A closure that receives the operation.
    /// - Returns: The operation.
    @discardableResult
    public func onStart(
        _ closure: @escaping @Sendable (RequestExecutionOperation<T>) -> Void
    ) -> Self {
        onStart { [run] in closure(run.operation ?? RequestExecutionOperation(run)) }
    }

    /// Adds a handler for the progress of the call.
    ///
    /// Progress covers the upload of the body. For a request without a body, and for a ``DownloadRequest``, it covers
    /// the download. Reports arrive at most about 20 times per second, and always for the last byte. For more detail,
    /// use ``onTransfer(_:)``.
    ///
    /// - Parameter closure: A closure that receives a value from 0 to 1. The value only increases, even across retries,
    ///   and is exactly 1 on success. If the length is unknown, the only value is 1.
    /// - Returns: The operation.
    @discardableResult
    public func onProgress(_ closure: @escaping @Sendable (Double) -> Void) -> Self {
        run.act(run.state.withLock { $0.addProgressHandler(closure) })
        return self
    }

    /// Adds a handler for the value of a successful call.
    ///
    /// - Parameter closure: A closure that receives the value.
    /// - Returns: The operation.
    @discardableResult
    public func onSuccess(_ closure: @escaping @Sendable (T.ResponseObjectType) -> Void) -> Self {
        onOutcome { outcome in
            if case .success(let response) = outcome { closure(response.value) }
        }
    }

    /// Adds a handler for the error of a failed call.
    ///
    /// - Parameter closure: A closure that receives the error.
    /// - Returns: The operation.
    @discardableResult
    public func onFail(
        _ closure: @escaping @Sendable (ErrorResponse<T.ErrorType>) -> Void
    ) -> Self {
        onOutcome { outcome in
            if case .failure(let error) = outcome { closure(error) }
        }
    }

    /// Adds a handler for each attempt, including failed ones and a refused request.
    ///
    /// - Parameter closure: A closure that receives the request, the response, and the error of the attempt.
    /// - Returns: The operation.
    @discardableResult
    public func onDebug(_ closure: @escaping @Sendable (DebugInfo) -> Void) -> Self {
        let handler: @Sendable (any Sendable) -> Void = {
            if let info = $0 as? DebugInfo { closure(info) }
        }
        run.act(run.state.withLock { $0.addInfoHandler(handler) })
        return self
    }

    func onOutcome(
        onMain isOnMain: Bool = false,
        _ closure: @escaping @Sendable (Outcome) -> Void
    ) -> Self {
        let action = run.state.withLock { state in
            state.addOutcomeHandler(onMain: isOnMain) {
                if let outcome = $0 as? Outcome { closure(outcome) }
            }
        }
        run.listening.finish()
        run.act(action)
        return self
    }
}

extension RequestExecutionOperation {
    /// Logs each attempt of this call.
    ///
    /// The log shows the status code, the URL, the duration, and up to 4 KiB of a response body in JSON or of a form,
    /// whose secrets are redacted by name. Other bodies are shown as ``Endpoint/redaction`` specifies, by default as
    /// media type and length.
    ///
    /// - Parameters:
    ///   - isOn: Whether to log. Defaults to `true`.
    ///   - logger: The logger, which receives one message per attempt at level debug. Defaults to a ``ConsoleLogger``,
    ///     which writes to standard error.
    /// - Returns: The operation.
    @discardableResult
    public func debugResponse(
        _ isOn: Bool = true,
        to logger: any NetworkLogger = ConsoleLogger(level: .debug)
    ) -> Self {
        guard isOn else { return self }
        return onDebug { info in
            let body = info.responseText.map { "\n" + LogText.plain($0, keepingLines: true) }
            logger.log(.debug, "\(LogText.plain("\(info)"))\(body ?? "")", metadata: [:])
        }
    }
}

extension RequestExecutionOperation {
    /// Adds a handler for the transfer of bytes in both directions.
    ///
    /// Reports arrive at most about 20 times per second, and always for the last byte. Bodies of redirects and of
    /// responses other than 2xx don't count.
    ///
    /// - Parameter closure: A closure that receives the direction, the byte counts, the rate, and the remaining time.
    /// - Returns: The operation.
    @discardableResult
    public func onTransfer(_ closure: @escaping @Sendable (Transfer) -> Void) -> Self {
        run.act(run.state.withLock { $0.addTransferHandler { closure(Transfer($0)) } })
        return self
    }

    /// The transfer reports of ``onTransfer(_:)`` as an asynchronous sequence.
    ///
    /// The sequence ends when the call ends, whatever its outcome. For the outcome, use ``value``. Each access returns
    /// a new sequence. Leaving the loop doesn't affect the call.
    ///
    /// ```swift
    /// let operation = request.download(to: file).execute(on: endpoint)
    /// for await transfer in operation.transfers { show(transfer) }
    /// let saved = try await operation.value
    /// ```
    public var transfers: AsyncStream<Transfer> {
        let (stream, continuation) = AsyncStream.makeStream(of: Transfer.self)
        let (first, second) = run.state.withLock { state in
            (
                state.addTransferHandler { continuation.yield(Transfer($0)) },
                state.addOutcomeHandler { _ in continuation.finish() }
            )
        }
        run.listening.finish()
        run.act(first.and(second))
        return stream
    }
}

/// An operation whose handlers run on the main actor.
///
/// You get one from ``RequestExecutionOperation/onMain``. Its handlers and those of the operation run one at a
/// time, in the order in which you add them. A handler therefore waits until an earlier one on the main actor returns.
public struct OperationOnMain<T: Request>: Sendable {
    fileprivate let operation: RequestExecutionOperation<T>

    /// Adds a handler for the value of a successful call.
    ///
    /// - Parameter closure: A closure that receives the value on the main actor.
    /// - Returns: The operation, for adding more handlers on the main actor.
    @discardableResult
    public func onSuccess(
        _ closure: @escaping @MainActor @Sendable (T.ResponseObjectType) -> Void
    ) -> Self {
        _ = operation.onOutcome(onMain: true) { outcome in
            guard case .success(let response) = outcome else { return }
            MainActor.assumeIsolated { closure(response.value) }
        }
        return self
    }

    /// Adds a handler for the error of a failed call.
    ///
    /// - Parameter closure: A closure that receives the error on the main actor.
    /// - Returns: The operation, for adding more handlers on the main actor.
    @discardableResult
    public func onFail(
        _ closure: @escaping @MainActor @Sendable (ErrorResponse<T.ErrorType>) -> Void
    ) -> Self {
        _ = operation.onOutcome(onMain: true) { outcome in
            guard case .failure(let error) = outcome else { return }
            MainActor.assumeIsolated { closure(error) }
        }
        return self
    }

    /// Adds a handler for the progress of the call.
    ///
    /// See ``RequestExecutionOperation/onProgress(_:)``.
    ///
    /// - Parameter closure: A closure that receives a value from 0 to 1 on the main actor.
    /// - Returns: The operation, for adding more handlers on the main actor.
    @discardableResult
    public func onProgress(_ closure: @escaping @MainActor @Sendable (Double) -> Void) -> Self {
        let run = operation.run
        run.act(
            run.state.withLock { state in
                state.addProgressHandler(onMain: true) { fraction in
                    MainActor.assumeIsolated { closure(fraction) }
                }
            }
        )
        return self
    }
}

extension RequestExecutionOperation {
    /// The operation for adding handlers that run on the main actor.
    ///
    /// ```swift
    /// UserRequest(id: 7).execute().onMain
    ///     .onSuccess { user in label.text = user.name }
    ///     .onFail { error in label.text = error.message }
    /// ```
    ///
    /// The process must serve the main queue by a run loop, `dispatchMain()`, or an asynchronous `main`.
    public var onMain: OperationOnMain<T> { OperationOnMain(operation: self) }
}
