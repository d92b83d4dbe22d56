extension Endpoint {
    /// Starts the call of a module's request, whichever endpoint that names.
    ///
    /// - Parameter module: What to ask.
    /// - Returns: The call; its value is the whole response.
    @discardableResult
    public func execute(_ module: some Module) -> RequestExecutionOperation<AnyRequest> {
        execute(AnyRequest(module.request))
    }

    /// Sends a module's request and waits for the response.
    ///
    /// Cancelling the task cancels the call, which then throws `.cancelled`.
    ///
    /// - Parameter module: What to ask.
    /// - Returns: The response, to be decoded by ``HTTPResponse/decoded(to:using:keyPath:)``.
    /// - Throws: The call's one error.
    public func value(
        for module: some Module
    ) async throws(ErrorResponse<ServerMessage>) -> HTTPResponse {
        try await value(for: AnyRequest(module.request))
    }
}

extension Module {
    /// Starts the call on the request's own endpoint, else on ``Endpoint/default``.
    ///
    /// - Returns: The call; its value is the whole response.
    @discardableResult
    public func execute() -> RequestExecutionOperation<AnyRequest> {
        AnyRequest(request).execute()
    }

    /// Starts the call on `endpoint`, whichever the request itself names.
    ///
    /// - Parameter endpoint: Where to send it.
    /// - Returns: The call; its value is the whole response.
    @discardableResult
    public func execute(on endpoint: Endpoint) -> RequestExecutionOperation<AnyRequest> {
        AnyRequest(request).execute(on: endpoint)
    }
}
