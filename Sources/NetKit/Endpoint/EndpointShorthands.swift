extension Endpoint {
    /// Sends a GET request and returns its decoded value, without a request type.
    ///
    /// ```swift
    /// let user: User = try await endpoint.get("users/1")
    /// ```
    ///
    /// Canceling the task cancels the call, which then throws `.cancelled`.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - query: The query items, in order. Defaults to none.
    ///   - type: The type of the value. Defaults to the type that the context expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        query: [(String, String)] = [],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await value(for: DefaultRequest<Value, ServerMessage>(path: path, queryParams: query))
    }

    /// Sends a POST request and returns its decoded value, without a request type.
    ///
    /// ```swift
    /// let order = try await endpoint.post("orders", .encodable(draft), as: Order.self)
    /// ```
    ///
    /// Canceling the task cancels the call, which then throws `.cancelled`.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - body: The body, or nil for none.
    ///   - type: The type of the value. Defaults to the type that the context expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        _ body: RequestBody?,
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await value(
            for: DefaultRequest<Value, ServerMessage>(path: path, method: .post, body: body)
        )
    }
}
