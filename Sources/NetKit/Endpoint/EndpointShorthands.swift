import NetKitSupport

// Calls without a request type. Canceling the task cancels the call, which then throws `.cancelled`.

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
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - type: The type of the value. Defaults to the type that the context expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        path values: [String: any Sendable] = [:],
        query: [(String, String)] = [],
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await call(.get, path, nil, values, query, headers, .automatic)
    }

    /// Sends a GET request with a query, and returns its decoded value, like the method with an array of pairs.
    ///
    /// ```swift
    /// let users: [User] = try await endpoint.get("users", query: ["page": 2, "q": text, "ids": [1, 2]])
    /// ```
    ///
    /// A value that is nil is left out. Arrays, Booleans, dates and nested names are written as ``URLEncoding`` does by
    /// default. A nested literal of mixed types needs its type: `["name": "x", "age": 3] as [String: any Sendable]`.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?>,
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await call(.get, path, nil, values, .init(query), headers, .automatic)
    }

    /// Sends a DELETE request and returns its decoded value, without a request type.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - values: The values of the path's placeholders. Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - type: The type of the value. Defaults to the type that the context expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        path values: [String: any Sendable] = [:],
        query: [(String, String)] = [],
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await call(.delete, path, nil, values, query, headers, .automatic)
    }

    /// Sends a DELETE request with a query, and returns its decoded value, like the method with an array of pairs.
    ///
    /// A value that is nil is left out, as in the query of a `get`.
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?>,
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await call(.delete, path, nil, values, .init(query), headers, .automatic)
    }

    /// Sends a DELETE request and ignores the body of its response.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - values: The values of the path's placeholders. Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    /// - Throws: The call's ``ErrorResponse``.
    public func delete(
        _ path: String,
        path values: [String: any Sendable] = [:],
        query: [(String, String)] = [],
        headers: HTTPHeaders = [:]
    ) async throws(ErrorResponse<ServerMessage>) {
        try await call(.delete, path, nil, values, query, headers, .empty)
    }

    /// Sends a DELETE request with a query, and ignores the body of its response.
    ///
    /// A value that is nil is left out, as in the query of a `get`.
    public func delete(
        _ path: String,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?>,
        headers: HTTPHeaders = [:]
    ) async throws(ErrorResponse<ServerMessage>) {
        try await call(.delete, path, nil, values, .init(query), headers, .empty)
    }

    /// Sends a POST request with a body and returns its decoded value, without a request type.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - body: The body. Defaults to nil, which means none.
    ///   - values: The values of the path's placeholders. Each is escaped to stay one segment, as with a ``Path``.
    ///     Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - type: The type of the value. Defaults to the type that the context expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        _ body: RequestBody? = nil,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await call(.post, path, body, values, .init(query), headers, .automatic)
    }

    /// Sends a POST request with a value as JSON and returns its decoded value, without a request type.
    ///
    /// ```swift
    /// let user: User = try await endpoint.post("users/42", draft)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - value: The value, sent as ``RequestBody/encodable(_:encoder:)``.
    ///   - values: The values of the path's placeholders. Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - type: The type of the value. Defaults to the type that the context expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        _ value: some Encodable & Sendable,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await call(.post, path, .encodable(value), values, .init(query), headers, .automatic)
    }

    /// Sends a POST request with a body, and ignores the body of its response.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - body: The body. Defaults to nil, which means none.
    ///   - values: The values of the path's placeholders. Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    /// - Throws: The call's ``ErrorResponse``.
    public func post(
        _ path: String,
        _ body: RequestBody? = nil,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:]
    ) async throws(ErrorResponse<ServerMessage>) {
        try await call(.post, path, body, values, .init(query), headers, .empty)
    }

    /// Sends a POST request with a value as JSON, and ignores the body of its response.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - value: The value, sent as ``RequestBody/encodable(_:encoder:)``.
    ///   - values: The values of the path's placeholders. Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    /// - Throws: The call's ``ErrorResponse``.
    public func post(
        _ path: String,
        _ value: some Encodable & Sendable,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:]
    ) async throws(ErrorResponse<ServerMessage>) {
        try await call(.post, path, .encodable(value), values, .init(query), headers, .empty)
    }

    /// Sends a PUT request with a body and returns its decoded value, without a request type.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - body: The body. Defaults to nil, which means none.
    ///   - values: The values of the path's placeholders. Each is escaped to stay one segment, as with a ``Path``.
    ///     Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - type: The type of the value. Defaults to the type that the context expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        _ body: RequestBody? = nil,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await call(.put, path, body, values, .init(query), headers, .automatic)
    }

    /// Sends a PUT request with a value as JSON and returns its decoded value, without a request type.
    ///
    /// ```swift
    /// let user: User = try await endpoint.put("users/42", draft)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - value: The value, sent as ``RequestBody/encodable(_:encoder:)``.
    ///   - values: The values of the path's placeholders. Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - type: The type of the value. Defaults to the type that the context expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        _ value: some Encodable & Sendable,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await call(.put, path, .encodable(value), values, .init(query), headers, .automatic)
    }

    /// Sends a PUT request with a body, and ignores the body of its response.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - body: The body. Defaults to nil, which means none.
    ///   - values: The values of the path's placeholders. Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    /// - Throws: The call's ``ErrorResponse``.
    public func put(
        _ path: String,
        _ body: RequestBody? = nil,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:]
    ) async throws(ErrorResponse<ServerMessage>) {
        try await call(.put, path, body, values, .init(query), headers, .empty)
    }

    /// Sends a PUT request with a value as JSON, and ignores the body of its response.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - value: The value, sent as ``RequestBody/encodable(_:encoder:)``.
    ///   - values: The values of the path's placeholders. Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    /// - Throws: The call's ``ErrorResponse``.
    public func put(
        _ path: String,
        _ value: some Encodable & Sendable,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:]
    ) async throws(ErrorResponse<ServerMessage>) {
        try await call(.put, path, .encodable(value), values, .init(query), headers, .empty)
    }

    /// Sends a PATCH request with a body and returns its decoded value, without a request type.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - body: The body. Defaults to nil, which means none.
    ///   - values: The values of the path's placeholders. Each is escaped to stay one segment, as with a ``Path``.
    ///     Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - type: The type of the value. Defaults to the type that the context expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        _ body: RequestBody? = nil,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await call(.patch, path, body, values, .init(query), headers, .automatic)
    }

    /// Sends a PATCH request with a value as JSON and returns its decoded value, without a request type.
    ///
    /// ```swift
    /// let user: User = try await endpoint.patch("users/42", draft)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - value: The value, sent as ``RequestBody/encodable(_:encoder:)``.
    ///   - values: The values of the path's placeholders. Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - type: The type of the value. Defaults to the type that the context expects.
    /// - Returns: The decoded value.
    /// - Throws: The call's ``ErrorResponse``.
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        _ value: some Encodable & Sendable,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:],
        as type: Value.Type = Value.self
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        try await call(.patch, path, .encodable(value), values, .init(query), headers, .automatic)
    }

    /// Sends a PATCH request with a body, and ignores the body of its response.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - body: The body. Defaults to nil, which means none.
    ///   - values: The values of the path's placeholders. Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    /// - Throws: The call's ``ErrorResponse``.
    public func patch(
        _ path: String,
        _ body: RequestBody? = nil,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:]
    ) async throws(ErrorResponse<ServerMessage>) {
        try await call(.patch, path, body, values, .init(query), headers, .empty)
    }

    /// Sends a PATCH request with a value as JSON, and ignores the body of its response.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - value: The value, sent as ``RequestBody/encodable(_:encoder:)``.
    ///   - values: The values of the path's placeholders. Defaults to none.
    ///   - query: The query items, in order. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    /// - Throws: The call's ``ErrorResponse``.
    public func patch(
        _ path: String,
        _ value: some Encodable & Sendable,
        path values: [String: any Sendable] = [:],
        query: KeyValuePairs<String, (any Sendable)?> = [:],
        headers: HTTPHeaders = [:]
    ) async throws(ErrorResponse<ServerMessage>) {
        try await call(.patch, path, .encodable(value), values, .init(query), headers, .empty)
    }

    private func call<Value: Sendable>(
        _ method: HTTPMethod,
        _ path: String,
        _ body: RequestBody?,
        _ values: [String: any Sendable],
        _ query: @autoclosure () throws(InvalidRequest) -> [(String, String)],
        _ headers: HTTPHeaders,
        _ decoding: ResponseDecoding<Value>
    ) async throws(ErrorResponse<ServerMessage>) -> Value {
        var (path, fields, followUp) = (path, [(String, String)](), nil as FollowUp?)
        // The call fails if a value can't be used, so that observers and logs receive the failure.
        do throws(InvalidRequest) {
            fields = try query()
            if !values.isEmpty { (path, followUp) = try filled(path, with: values) }
        } catch {
            (path, followUp) = ("", FollowUp(refusing: error))
        }
        return try await value(
            erased: DefaultRequest<Value, ServerMessage>(
                path: path,
                method: method,
                queryParams: fields,
                body: body,
                headers: headers,
                responseDecoding: decoding
            ),
            followUp
        )
    }

    /// The path with values in the places of its placeholders, and what its call has to know of them.
    private func filled(
        _ path: String,
        with values: [String: any Sendable]
    ) throws(InvalidRequest) -> (path: String, followUp: FollowUp?) {
        let isStrict = settings.values.encoding.escapesPathValuesStrictly
        let (path, template) = try RequestParameters(path: values)
            .filled(path, strictly: isStrict)
        guard let template else { return (path, nil) }
        let followUp = FollowUp { request throws(InvalidRequest) in
            request.pathTemplate = template
        }
        return (path, followUp)
    }
}
