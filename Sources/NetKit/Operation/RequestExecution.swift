extension Endpoint {
    /// Starts a call on this endpoint, whichever the request itself names.
    ///
    /// - Parameter request: What to ask.
    /// - Returns: The call, to add closures to, to wait for or to cancel. It need not be kept.
    @discardableResult
    public func execute<R: Request>(_ request: R) -> RequestExecutionOperation<R> {
        request.execute(on: self)
    }
}

extension Request {
    /// Starts the call on the request's ``endpoint``, else on ``Endpoint/default``.
    ///
    /// Without either it fails with `.invalidRequest(.missingEndpoint)`, unless its path is a whole http
    /// or https address: then it is sent there, with nothing but what the request says itself.
    ///
    /// - Returns: The call, to add closures to, to wait for or to cancel. It need not be kept.
    @discardableResult
    public func execute() -> RequestExecutionOperation<Self> {
        start(on: endpoint ?? Endpoint.default ?? addressedEndpoint)
    }

    /// Starts the call on `endpoint`, whichever the request itself names.
    ///
    /// - Parameter endpoint: Where to send it.
    /// - Returns: The call, to add closures to, to wait for or to cancel. It need not be kept.
    @discardableResult
    public func execute(on endpoint: Endpoint) -> RequestExecutionOperation<Self> {
        start(on: endpoint)
    }

    /// Starts the call with consent to try it again, known before the first send.
    ///
    /// - Parameters:
    ///   - endpoint: Where to send it; nil for the request's own, else ``Endpoint/default``.
    ///   - count: As in ``RequestExecutionOperation/retryOnFail(_:)-(Int)``.
    /// - Returns: The call, to add closures to, to wait for or to cancel. It need not be kept.
    @discardableResult
    public func execute(
        on endpoint: Endpoint?,
        retrying count: Int
    ) -> RequestExecutionOperation<Self> {
        var settings = CallSettings()
        settings.retries = max(0, count)
        let endpoint = endpoint ?? self.endpoint ?? Endpoint.default ?? addressedEndpoint
        return start(on: endpoint, settings: settings)
    }

    /// The endpoint of a request whose path is a whole URL and that has no other one.
    private var addressedEndpoint: Endpoint? {
        WrittenPath(path).isAbsolute ? Endpoint.ofAddressedRequests : nil
    }

    private func start(
        on endpoint: Endpoint?,
        settings: CallSettings = CallSettings()
    ) -> RequestExecutionOperation<Self> {
        let run = OperationRun(self, on: endpoint, settings: settings)
        let operation = RequestExecutionOperation(run)
        run.adopt(operation)
        run.start()
        return operation
    }
}
