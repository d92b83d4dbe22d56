/// Adds closures to an operation that run on the main actor: ``RequestExecutionOperation/onMain``.
///
/// Order and number of calls are those of the operation's own closures; the ones behind a closure on the main actor wait
/// for it.
public struct OperationOnMain<T: Request>: Sendable {
    fileprivate let operation: RequestExecutionOperation<T>

    /// Adds a closure for the value of a successful call.
    ///
    /// - Parameter closure: Gets the value.
    /// - Returns: The operation, to add more closures on the main actor.
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

    /// Adds a closure for the error of a failed call.
    ///
    /// - Parameter closure: Gets the error.
    /// - Returns: The operation, to add more closures on the main actor.
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

    /// Adds a closure that hears how much has been sent or received; see ``RequestExecutionOperation/onProgress(_:)``.
    ///
    /// - Parameter closure: Gets a value between 0 and 1.
    /// - Returns: The operation, to add more closures on the main actor.
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
    /// The operation for closures that run on the main actor, and may use what belongs to it.
    ///
    /// ```swift
    /// UserRequest(id: 7).execute().onMain
    ///     .onSuccess { user in label.text = user.name }
    ///     .onFail { error in label.text = error.message }
    /// ```
    ///
    /// Something has to serve the main queue: a run loop, `dispatchMain()` or an asynchronous `main`.
    public var onMain: OperationOnMain<T> { OperationOnMain(operation: self) }
}
