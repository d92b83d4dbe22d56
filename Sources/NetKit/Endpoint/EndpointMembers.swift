// Literals of members that include values of a program's own types, of which a `RequestBody` literal can't be made.

extension Endpoint {
    /// Sends a POST request with a JSON object and returns its decoded value.
    ///
    /// ```swift
    /// let user: User = try await endpoint.post("users/42", ["name": name, "role": Role.admin])
    /// ```
    ///
    /// The object is made by the rules of ``RequestBody/params(_:)-enum.case``.
    @_disfavoredOverload
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        _ members: [String: (any Encodable & Sendable)?],
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await post(path, .members(members), path: values, query: query, headers: headers)
    }

    /// Sends a POST request with a JSON object and ignores the body of its response.
    ///
    /// ```swift
    /// try await endpoint.post("users/42", ["name": name, "role": Role.admin])
    /// ```
    ///
    /// The object is made by the rules of ``RequestBody/params(_:)-enum.case``.
    @_disfavoredOverload
    public func post(
        _ path: String,
        _ members: [String: (any Encodable & Sendable)?],
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:]
    ) async throws(ErrorResponse<ServerMessage>) {
        try await post(path, .members(members), path: values, query: query, headers: headers)
    }

    /// Sends a PUT request with a JSON object and returns its decoded value.
    ///
    /// ```swift
    /// let user: User = try await endpoint.put("users/42", ["name": name, "role": Role.admin])
    /// ```
    ///
    /// The object is made by the rules of ``RequestBody/params(_:)-enum.case``.
    @_disfavoredOverload
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        _ members: [String: (any Encodable & Sendable)?],
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await put(path, .members(members), path: values, query: query, headers: headers)
    }

    /// Sends a PUT request with a JSON object and ignores the body of its response.
    ///
    /// ```swift
    /// try await endpoint.put("users/42", ["name": name, "role": Role.admin])
    /// ```
    ///
    /// The object is made by the rules of ``RequestBody/params(_:)-enum.case``.
    @_disfavoredOverload
    public func put(
        _ path: String,
        _ members: [String: (any Encodable & Sendable)?],
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:]
    ) async throws(ErrorResponse<ServerMessage>) {
        try await put(path, .members(members), path: values, query: query, headers: headers)
    }

    /// Sends a PATCH request with a JSON object and returns its decoded value.
    ///
    /// ```swift
    /// let user: User = try await endpoint.patch("users/42", ["name": name, "role": Role.admin])
    /// ```
    ///
    /// The object is made by the rules of ``RequestBody/params(_:)-enum.case``.
    @_disfavoredOverload
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        _ members: [String: (any Encodable & Sendable)?],
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await patch(path, .members(members), path: values, query: query, headers: headers)
    }

    /// Sends a PATCH request with a JSON object and ignores the body of its response.
    ///
    /// ```swift
    /// try await endpoint.patch("users/42", ["name": name, "role": Role.admin])
    /// ```
    ///
    /// The object is made by the rules of ``RequestBody/params(_:)-enum.case``.
    @_disfavoredOverload
    public func patch(
        _ path: String,
        _ members: [String: (any Encodable & Sendable)?],
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:]
    ) async throws(ErrorResponse<ServerMessage>) {
        try await patch(path, .members(members), path: values, query: query, headers: headers)
    }
}
