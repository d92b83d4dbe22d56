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
