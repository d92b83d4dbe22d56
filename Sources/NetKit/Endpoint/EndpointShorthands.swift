extension Endpoint {
    /// Sends a GET request and returns its decoded value, without a request type.
    ///
    /// ```swift
    /// let user: User = try await endpoint.get("users/{name}", path: ["name": name])
    /// ```
    ///
    /// Canceling the task cancels the call, which then throws `.cancelled`.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - values: The values of the path's placeholders. Each is escaped to stay one segment, as with a ``Path``.
    ///     Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - type: The type of the value. Defaults to the type that the context expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        path values: [String: any Sendable] = [:],
        query: [(String, String)] = [],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        let path = try filled(path, with: values)
        return try await value(
            for: DefaultRequest<Value, ServerMessage>(path: path, queryParams: query)
        )
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
    ///   - values: The values of the path's placeholders. Each is escaped to stay one segment, as with a ``Path``.
    ///     Defaults to none.
    ///   - type: The type of the value. Defaults to the type that the context expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        _ body: RequestBody?,
        path values: [String: any Sendable] = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        let path = try filled(path, with: values)
        return try await value(
            for: DefaultRequest<Value, ServerMessage>(path: path, method: .post, body: body)
        )
    }

    /// The path with values in the places of its placeholders.
    private func filled(
        _ path: String,
        with values: [String: any Sendable]
    ) throws(ErrorResponse<ServerMessage>) -> String {
        guard !values.isEmpty else { return path }
        do throws(InvalidRequest) {
            return try RequestParameters(path: values).path(in: path)
        } catch {
            throw .invalidRequest(error)
        }
    }
}
