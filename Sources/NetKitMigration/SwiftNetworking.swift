public import Foundation
public import NetKit

// Names from SwiftNetworking.

/// SwiftNetworking's name for a request with a decoded value.
@available(*, deprecated, renamed: "DefaultRequest")
public typealias DecodableTarget<Value: ResponseObject> = DefaultRequest<Value, ServerMessage>

/// SwiftNetworking's name for a request whose value is bytes.
@available(*, deprecated, renamed: "DefaultRequest")
public typealias DataTarget = DefaultRequest<Data, ServerMessage>

/// SwiftNetworking's name for a request that ignores the response body.
@available(*, deprecated, renamed: "DefaultRequest")
public typealias PlainTarget = DefaultRequest<Void, ServerMessage>

extension HTTPMethod {
    /// `GET`, with SwiftNetworking's spelling.
    @available(*, deprecated, renamed: "get")
    public static var GET: HTTPMethod { .get }

    /// `POST`, with SwiftNetworking's spelling.
    @available(*, deprecated, renamed: "post")
    public static var POST: HTTPMethod { .post }

    /// `PUT`, with SwiftNetworking's spelling.
    @available(*, deprecated, renamed: "put")
    public static var PUT: HTTPMethod { .put }

    /// `PATCH`, with SwiftNetworking's spelling.
    @available(*, deprecated, renamed: "patch")
    public static var PATCH: HTTPMethod { .patch }

    /// `DELETE`, with SwiftNetworking's spelling.
    @available(*, deprecated, renamed: "delete")
    public static var DELETE: HTTPMethod { .delete }
}

extension JSONDecoder {
    /// Creates a decoder for snake case keys and ISO 8601 dates.
    ///
    /// - Returns: A new decoder.
    @available(*, deprecated, renamed: "snakeCaseISO8601")
    public static func custom() -> JSONDecoder { .snakeCaseISO8601 }
}

extension DefaultRequest where Response: Decodable {
    /// Creates a target with a value: `DecodableTarget<[Game]>("games")`, `DataTarget("cover.png")`.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - method: The HTTP method. Defaults to GET.
    ///   - query: The query parameters, which are sorted by name. Nil values are omitted. Defaults to none.
    ///   - body: The request body, sent as JSON unless `headers` set another `Content-Type`. Defaults to none.
    ///   - headers: The request's header fields. Defaults to none.
    ///   - decoder: The decoder for the value. Defaults to a decoder for snake case keys and ISO 8601 dates.
    @available(*, deprecated, message: "use init(path:method:queryParams:body:headers:decoder:)")
    public init(
        _ path: String,
        method: HTTPMethod = .get,
        query: [String: (any Sendable)?]? = nil,
        body: Data? = nil,
        headers: HTTPHeaders? = nil,
        decoder: JSONDecoder = .snakeCaseISO8601
    ) {
        self.init(
            path: path,
            method: method,
            queryParams: .init(query ?? [:]),
            body: body.map { .raw($0) },
            headers: (headers ?? [:]).announcing(body),
            decoder: decoder
        )
    }

    /// Creates a target with a value from header fields in a dictionary.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - method: The HTTP method. Defaults to GET.
    ///   - query: The query parameters, which are sorted by name. Nil values are omitted. Defaults to none.
    ///   - body: The request body, sent as JSON unless `headers` set another `Content-Type`. Defaults to none.
    ///   - headers: The request's header fields, which are sorted by name.
    ///   - decoder: The decoder for the value. Defaults to a decoder for snake case keys and ISO 8601 dates.
    @available(*, deprecated, message: "use init(path:method:queryParams:body:headers:decoder:)")
    @_disfavoredOverload
    public init(
        _ path: String,
        method: HTTPMethod = .get,
        query: [String: (any Sendable)?]? = nil,
        body: Data? = nil,
        headers: [String: String]?,
        decoder: JSONDecoder = .snakeCaseISO8601
    ) {
        self.init(
            path,
            method: method,
            query: query,
            body: body,
            headers: headers.map { HTTPHeaders($0) },
            decoder: decoder
        )
    }
}

extension DefaultRequest where Response == Void {
    /// Creates a target that ignores the response body: `PlainTarget("games", method: .POST)`.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - method: The HTTP method. Defaults to GET.
    ///   - query: The query parameters, which are sorted by name. Nil values are omitted. Defaults to none.
    ///   - body: The request body, sent as JSON unless `headers` set another `Content-Type`. Defaults to none.
    ///   - headers: The request's header fields. Defaults to none.
    @available(*, deprecated, message: "use init(path:method:queryParams:body:headers:)")
    public init(
        _ path: String,
        method: HTTPMethod = .get,
        query: [String: (any Sendable)?]? = nil,
        body: Data? = nil,
        headers: HTTPHeaders? = nil
    ) {
        self.init(
            path: path,
            method: method,
            queryParams: .init(query ?? [:]),
            body: body.map { .raw($0) },
            headers: (headers ?? [:]).announcing(body)
        )
    }

    /// Creates a target that ignores the response body from header fields in a dictionary.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - method: The HTTP method. Defaults to GET.
    ///   - query: The query parameters, which are sorted by name. Nil values are omitted. Defaults to none.
    ///   - body: The request body, sent as JSON unless `headers` set another `Content-Type`. Defaults to none.
    ///   - headers: The request's header fields, which are sorted by name.
    @available(*, deprecated, message: "use init(path:method:queryParams:body:headers:)")
    @_disfavoredOverload
    public init(
        _ path: String,
        method: HTTPMethod = .get,
        query: [String: (any Sendable)?]? = nil,
        body: Data? = nil,
        headers: [String: String]?
    ) {
        self.init(
            path,
            method: method,
            query: query,
            body: body,
            headers: headers.map { HTTPHeaders($0) }
        )
    }
}

extension HTTPHeaders {
    /// Returns the fields, with JSON as the default `Content-Type` of a body.
    fileprivate func announcing(_ body: Data?) -> HTTPHeaders {
        guard body != nil, contentType == nil else { return self }
        var fields = self
        fields.contentType = .json
        return fields
    }
}

/// SwiftNetworking's name for a server.
@available(*, deprecated, renamed: "Endpoint")
public struct RegularHost: Sendable {
    /// The endpoint that sends the requests.
    public let endpoint: Endpoint

    /// Creates a host whose responses have snake case keys and ISO 8601 dates.
    ///
    /// - Parameters:
    ///   - protocolName: The scheme. Defaults to `https`.
    ///   - address: The host, port and base path. If they are invalid, calls fail with `.invalidRequest`.
    ///   - transport: The transport. Defaults to nil, which means `URLSession`.
    public init(
        protocolName: String = "https",
        _ address: String,
        transport: (any Transport)? = nil
    ) {
        let url = URL(string: "\(protocolName)://\(address)") ?? URL(fileURLWithPath: address)
        endpoint = Endpoint(baseURL: url, transport: transport, decoder: .snakeCaseISO8601)
    }

    /// Sends a target and waits for its value.
    ///
    /// - Parameter target: The request.
    /// - Returns: The value.
    /// - Throws: The call's error.
    public func execute<R: Request>(
        _ target: R
    ) async throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType {
        try await endpoint.value(for: target)
    }
}
