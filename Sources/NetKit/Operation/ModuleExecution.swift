extension Endpoint {
    /// Starts the call of a module's request, whichever endpoint that names.
    ///
    /// - Parameter module: What to ask.
    /// - Returns: The call; its value is the whole response.
    @discardableResult
    public func execute(_ module: some Module) -> RequestExecutionOperation<AnyRequest> {
        execute(erased: AnyRequest(module.request))
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
        try await value(erased: AnyRequest(module.request))
    }

    /// Goes through the code that requests of all types share; a copy for this one would be as long as that.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    private func execute<R: Request>(erased request: R) -> RequestExecutionOperation<R> {
        execute(request)
    }

    /// The same for a call that is awaited.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    private func value<R: Request>(
        erased request: R
    ) async throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType {
        try await value(for: request)
    }
}
