extension RequestExecutionOperation {
    /// Adds a closure to run once, before the request is first sent.
    ///
    /// The request waits for those that are added in front of the first ``onSuccess(_:)`` or
    /// ``onFail(_:)``, or within 50 milliseconds, so that a ``cancel()`` in them means that nothing is
    /// sent.
    ///
    /// - Parameter closure: The closure.
    /// - Returns: The operation.
    @discardableResult
    public func onStart(_ closure: @escaping @Sendable () -> Void) -> Self {
        run.act(run.state.withLock { $0.addStartHandler(closure) })
        return self
    }

    /// Adds a closure to run once with the operation, before the request is first sent.
    ///
    /// - Parameter closure: The closure.
    /// - Returns: The operation.
    @discardableResult
    public func onStart(
        _ closure: @escaping @Sendable (RequestExecutionOperation<T>) -> Void
    ) -> Self {
        onStart { [run] in closure(run.operation ?? RequestExecutionOperation(run)) }
    }

    /// Adds a closure that hears how much of the body has been sent; how much has been received where
    /// none is sent, and with a ``DownloadRequest``.
    ///
    /// At most about twenty times a second, and always of the last byte. ``onTransfer(_:)`` says more.
    ///
    /// - Parameter closure: Gets a value between 0 and 1 that only grows, retries included, and is
    ///   exactly 1 on success. Where the length is not known it is 1 alone.
    /// - Returns: The operation.
    @discardableResult
    public func onProgress(_ closure: @escaping @Sendable (Double) -> Void) -> Self {
        run.act(run.state.withLock { $0.addProgressHandler(closure) })
        return self
    }

    /// Adds a closure for the value of a successful call.
    ///
    /// - Parameter closure: Gets the value.
    /// - Returns: The operation.
    @discardableResult
    public func onSuccess(
        _ closure: @escaping @Sendable (T.ResponseObjectType) -> Void
    ) -> Self {
        onOutcome { outcome in
            if case .success(let response) = outcome { closure(response.value) }
        }
    }

    /// Adds a closure for the error of a failed call.
    ///
    /// - Parameter closure: Gets the error.
    /// - Returns: The operation.
    @discardableResult
    public func onFail(
        _ closure: @escaping @Sendable (ErrorResponse<T.ErrorType>) -> Void
    ) -> Self {
        onOutcome { outcome in
            if case .failure(let error) = outcome { closure(error) }
        }
    }

    /// Adds a closure that hears of each attempt, also of a failed one and of a refused request.
    ///
    /// - Parameter closure: Gets what was sent and what came back.
    /// - Returns: The operation.
    @discardableResult
    public func onDebug(_ closure: @escaping @Sendable (DebugInfo) -> Void) -> Self {
        run.act(run.state.withLock { $0.addInfoHandler(closure) })
        return self
    }

    private func onOutcome(_ closure: @escaping @Sendable (Outcome) -> Void) -> Self {
        let action = run.state.withLock { state in
            state.addOutcomeHandler { TypedOutcome<T>.read($0, closure) }
        }
        run.listenerAdded()
        run.act(action)
        return self
    }
}
