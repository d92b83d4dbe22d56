public import NetKit

// Routes for a request type, whose reply is a value or an error of that type.
extension StubTransport {
    /// Adds a route that answers a request type with a value.
    ///
    /// The route matches by method and path only, not by other parameters, the body or the path's
    /// query: `UserRequest(id: 1)` matches all of `users/{id}`. Of several typed routes, the last one
    /// with the request's own path values answers, or else the last one. A `String` is sent as text,
    /// `Data` unchanged, and any other value as JSON by ``encoder``. With a
    /// `KeyPathResponseConverter`, the value is nested at its path.
    ///
    /// With another converter, or a decoding of another format, the request fails with
    /// ``UnknownConversion`` as the underlying error of a ``TransportError``. The route can't
    /// detect a custom decoding that expects different JSON. Answer such requests with a closure
    /// (``on(_:_:atMost:fileID:line:reply:)``).
    ///
    /// - Parameters:
    ///   - request: Any request of the type, for its method and path.
    ///   - value: The value of the call.
    ///   - status: The status, a 2xx. Defaults to 200.
    ///   - fileID: The location of the call. Don't pass this argument.
    ///   - line: The location of the call. Don't pass this argument.
    /// - Returns: The route.
    @discardableResult
    public func on<R: Request>(
        _ request: R,
        reply value: R.ResponseObjectType,
        status: HTTPStatus = 200,
        fileID: String = #fileID,
        line: Int = #line
    ) -> Stub where R.ResponseObjectType: Encodable {
        add(request, (fileID, line)) { _ in
            try .giving(value, through: request.converterOfValue()).status(status)
        }
    }

    /// Adds a route that answers a request type with an empty 204.
    ///
    /// - Parameters:
    ///   - request: Any request of the type, for its method and path.
    ///   - fileID: The location of the call. Don't pass this argument.
    ///   - line: The location of the call. Don't pass this argument.
    /// - Returns: The route.
    @discardableResult
    public func on<R: Request>(
        _ request: R,
        fileID: String = #fileID,
        line: Int = #line
    ) -> Stub where R.ResponseObjectType == Void {
        add(request, (fileID, line)) { _ in .status(204) }
    }

    /// Adds a route that answers a request type with an error.
    ///
    /// The request's `errorConverter` applies as its `responseConverter` does for a value.
    ///
    /// - Parameters:
    ///   - request: Any request of the type, for its method and path.
    ///   - error: The error of the call, sent as JSON by ``encoder``.
    ///   - status: The status, not a 2xx.
    ///   - fileID: The location of the call. Don't pass this argument.
    ///   - line: The location of the call. Don't pass this argument.
    /// - Returns: The route.
    @discardableResult
    public func on<R: Request>(
        _ request: R,
        error: R.ErrorType,
        status: HTTPStatus,
        fileID: String = #fileID,
        line: Int = #line
    ) -> Stub where R.ErrorType: Encodable {
        add(request, (fileID, line)) { _ in
            try .giving(error, through: request.ownErrorConverter).status(status)
        }
    }

    private func add(
        _ request: some Request,
        _ place: (fileID: String, line: Int),
        _ reply: @escaping @Sendable (StubRequest) throws -> StubReply
    ) -> Stub {
        add(request.ownMethod, request.pathOfRoute, values: request.valuesOfRoute, place, reply)
    }
}
