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

    func onOutcome(
        onMain isOnMain: Bool = false,
        _ closure: @escaping @Sendable (Outcome) -> Void
    ) -> Self {
        let action = run.state.withLock { state in
            state.addOutcomeHandler(onMain: isOnMain) { TypedOutcome<T>.read($0, closure) }
        }
        run.listenerAdded()
        run.act(action)
        return self
    }
}

extension RequestExecutionOperation {
    /// Writes down each attempt of this call: status, address and time, and the response's body.
    ///
    /// Secrets are left out, as ``Endpoint/redaction`` says.
    ///
    /// - Parameters:
    ///   - isOn: Whether it does. Defaults to true.
    ///   - logger: Takes a line an attempt, at level debug. Defaults to one that writes to standard error.
    /// - Returns: The operation.
    @discardableResult
    public func debugResponse(
        _ isOn: Bool = true,
        to logger: any NetworkLogger = ConsoleLogger(level: .debug)
    ) -> Self {
        guard isOn else { return self }
        return onDebug { info in
            let body = info.responseText.map { "\n" + LogText.plain($0, keepingLines: true) }
            logger.log(.debug, "\(LogText.plain("\(info)"))\(body ?? "")")
        }
    }
}

extension RequestExecutionOperation {
    /// Adds a closure that hears how the bytes go, both ways.
    ///
    /// At most about twenty times a second, and always of the last byte. The bodies of redirects and
    /// of responses outside 2xx are not counted.
    ///
    /// - Parameter closure: Gets direction, bytes, total, rate and time left.
    /// - Returns: The operation.
    @discardableResult
    public func onTransfer(_ closure: @escaping @Sendable (Transfer) -> Void) -> Self {
        run.act(run.state.withLock { $0.addTransferHandler(closure) })
        return self
    }

    /// How the bytes go, both ways, as ``onTransfer(_:)`` tells it; ends with the call, however it ends.
    ///
    /// Each access gives a sequence of its own. Leaving its loop leaves the call alone; ``value`` has
    /// the outcome.
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
                state.addTransferHandler { continuation.yield($0) },
                state.addOutcomeHandler { _ in continuation.finish() }
            )
        }
        run.listenerAdded()
        run.act(first.and(second))
        return stream
    }
}
