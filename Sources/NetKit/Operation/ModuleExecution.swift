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
