extension Endpoint {
    /// Sends a GET and waits for its value, where a request needs no type of its own.
    ///
    /// ```swift
    /// let user: User = try await endpoint.get("users/1")
    /// ```
    ///
    /// Cancelling the task cancels the call, which then throws `.cancelled`.
    ///
    /// - Parameters:
    ///   - path: As ``Request/path``.
    ///   - query: The fields of the query, in order. Defaults to none.
    ///   - type: The type of the value. Defaults to the type that the caller expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's one error.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        query: [(String, String)] = [],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await value(for: DefaultRequest<Value, ServerMessage>(path: path, queryParams: query))
    }

    /// Sends a POST and waits for its value, where a request needs no type of its own.
    ///
    /// ```swift
    /// let order = try await endpoint.post("orders", .encodable(draft), as: Order.self)
    /// ```
    ///
    /// Cancelling the task cancels the call, which then throws `.cancelled`.
    ///
    /// - Parameters:
    ///   - path: As ``Request/path``.
    ///   - body: The body; nil for none.
    ///   - type: The type of the value. Defaults to the type that the caller expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's one error.
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
