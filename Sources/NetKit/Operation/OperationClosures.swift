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
    public func onSuccess(
        _ closure: @escaping @Sendable (T.ResponseObjectType) -> Void
    ) -> Self {
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
            logger.log(.debug, "\(LogText.plain("\(info)"))\(body ?? "")")
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
        run.act(run.state.withLock { $0.addTransferHandler(closure) })
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
                state.addTransferHandler { continuation.yield($0) },
                state.addOutcomeHandler { _ in continuation.finish() }
            )
        }
        run.listenerAdded()
        run.act(first.and(second))
        return stream
    }
}
