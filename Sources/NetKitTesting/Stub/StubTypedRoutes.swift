public import NetKit

// Routes for a type of request, whose reply is what the type says.
extension StubTransport {
    /// Answers requests with the method and the path of this one by a value of its type.
    ///
    /// What the request's own parameters and body say does not matter, nor what stands behind a `?` in its path:
    /// `UserRequest(id: 1)` stands for all of `users/{id}`. A `String` is answered as text and `Data` as it is,
    /// anything else as JSON by ``encoder``; with a `KeyPathResponseConverter`, the value stands at its path.
    ///
    /// What other converters and a decoding of another format read is not known here: the request fails with
    /// ``UnknownConversion`` beneath a ``TransportError``. A decoding of one's own that reads another JSON than that
    /// of the value cannot be told from the usual one. Answer such requests by a closure
    /// (``on(_:_:atMost:fileID:line:reply:)``).
    ///
    /// - Parameters:
    ///   - request: Any request of the type, for its method and path.
    ///   - value: What the call is to give.
    ///   - status: The status; a 2xx. The default is 200.
    ///   - fileID: Where the route is added; leave it out.
    ///   - line: Where the route is added; leave it out.
    /// - Returns: The route.
    @discardableResult
    public func on<R: Request>(
        _ request: R,
        reply value: R.ResponseObjectType,
        status: HTTPStatus = 200,
        fileID: String = #fileID,
        line: Int = #line
    ) -> Stub where R.ResponseObjectType: Encodable {
        on(request.method, request.pathOfRoute, fileID: fileID, line: line) { _ in
            try .giving(value, through: request.converterOfValue()).status(status)
        }
    }

    /// Answers requests with the method and the path of this one by an empty 204.
    ///
    /// - Parameters:
    ///   - request: Any request of the type, for its method and path.
    ///   - fileID: Where the route is added; leave it out.
    ///   - line: Where the route is added; leave it out.
    /// - Returns: The route.
    @discardableResult
    public func on<R: Request>(
        _ request: R,
        fileID: String = #fileID,
        line: Int = #line
    ) -> Stub where R.ResponseObjectType == Void {
        on(request.method, request.pathOfRoute, fileID: fileID, line: line) { _ in .status(204) }
    }

    /// Answers requests with the method and the path of this one by an error of its type.
    ///
    /// The request's `errorConverter` counts as its `responseConverter` does for a value.
    ///
    /// - Parameters:
    ///   - request: Any request of the type, for its method and path.
    ///   - error: What the call is to fail with, as JSON by ``encoder``.
    ///   - status: The status; none of 2xx.
    ///   - fileID: Where the route is added; leave it out.
    ///   - line: Where the route is added; leave it out.
    /// - Returns: The route.
    @discardableResult
    public func on<R: Request>(
        _ request: R,
        error: R.ErrorType,
        status: HTTPStatus,
        fileID: String = #fileID,
        line: Int = #line
    ) -> Stub where R.ErrorType: Encodable {
        on(request.method, request.pathOfRoute, fileID: fileID, line: line) { _ in
            try .giving(error, through: request.errorConverter).status(status)
        }
    }
}
