import NetKitSupport

extension Endpoint {
    /// Starts a call on this endpoint, whichever endpoint the request specifies.
    ///
    /// - Parameter request: The request to send.
    /// - Returns: The operation, for adding handlers, awaiting the value, or canceling. You don't have to retain it.
    @discardableResult
    public func execute<R: Request>(_ request: R) -> RequestExecutionOperation<R> {
        request.execute(on: self)
    }
}

extension Request {
    /// Starts the call on the request's ``endpoint``, or else on ``Endpoint/default``.
    ///
    /// If there is no endpoint, a request whose path is an absolute http or https URL is sent there, with only its own
    /// settings. Any other request fails with `.invalidRequest(.missingEndpoint)`.
    ///
    /// - Returns: The operation, for adding handlers, awaiting the value, or canceling. You don't have to retain it.
    @discardableResult
    public func execute() -> RequestExecutionOperation<Self> {
        start(on: ownEndpoint)
    }

    /// Starts the call on an endpoint, whichever endpoint the request specifies.
    ///
    /// - Parameter endpoint: The endpoint that sends the request.
    /// - Returns: The operation, for adding handlers, awaiting the value, or canceling. You don't have to retain it.
    @discardableResult
    public func execute(on endpoint: Endpoint) -> RequestExecutionOperation<Self> {
        start(on: endpoint)
    }

    /// Starts the call with consent to retry it, which applies from the first attempt.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint that sends the request, or nil for the request's own or ``Endpoint/default``.
    ///   - count: The maximum number of retries, as in ``RequestExecutionOperation/retryOnFail(_:)-(Int)``.
    /// - Returns: The operation, for adding handlers, awaiting the value, or canceling. You don't have to retain it.
    @discardableResult
    public func execute(
        on endpoint: Endpoint?,
        retrying count: Int
    ) -> RequestExecutionOperation<Self> {
        var settings = CallSettings()
        settings.retries = max(0, count)
        return start(on: endpoint ?? ownEndpoint, settings: settings)
    }

    /// The endpoint for a call that doesn't name one, or nil if there is none.
    private var ownEndpoint: Endpoint? {
        endpoint ?? .default ?? (WrittenPath(path).isAbsolute ? .ofAddressedRequests : nil)
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

extension Endpoint {
    /// Starts the call of a module's request on this endpoint.
    ///
    /// The request's own ``Request/endpoint`` doesn't matter.
    ///
    /// - Parameter module: The module with the request to send.
    /// - Returns: The operation, whose value is the complete response.
    @discardableResult
    public func execute(_ module: some Module) -> RequestExecutionOperation<AnyRequest> {
        execute(erased: AnyRequest(module.request))
    }

    /// Sends a module's request and returns the response.
    ///
    /// Canceling the task cancels the call, which then throws `.cancelled`.
    ///
    /// - Parameter module: The module with the request to send.
    /// - Returns: The response. To decode it, use ``HTTPResponse/decoded(to:using:keyPath:)``.
    /// - Throws: The call's ``ErrorResponse``.
    public func value(
        for module: some Module
    ) async throws(ErrorResponse<ServerMessage>) -> HTTPResponse {
        try await value(erased: AnyRequest(module.request))
    }

    /// Uses the unspecialized generic code, because a copy would be just as long.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    private func execute<R: Request>(erased request: R) -> RequestExecutionOperation<R> {
        execute(request)
    }

    /// Uses the unspecialized generic code for an awaited call: a copy for a shorthand's request takes 60 KB.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    func value<R: Request>(
        erased request: R,
        _ followUp: FollowUp? = nil
    ) async throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType {
        try await run(call(request, followUp)).value
    }
}
