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

    /// Uses the unspecialized generic code for an awaited call.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    private func value<R: Request>(
        erased request: R
    ) async throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType {
        try await value(for: request)
    }
}
