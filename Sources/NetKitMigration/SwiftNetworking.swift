public import Foundation
public import NetKit

// The spellings of SwiftNetworking.

/// A request for a decoded value, as SwiftNetworking names it.
@available(*, deprecated, renamed: "DefaultRequest")
public typealias DecodableTarget<Value: ResponseObject> = DefaultRequest<Value, ServerMessage>

/// A request for bytes, as SwiftNetworking names it.
@available(*, deprecated, renamed: "DefaultRequest")
public typealias DataTarget = DefaultRequest<Data, ServerMessage>

/// A request whose response isn't read, as SwiftNetworking names it.
@available(*, deprecated, renamed: "DefaultRequest")
public typealias PlainTarget = DefaultRequest<Void, ServerMessage>

extension HTTPMethod {
    /// `GET`, as SwiftNetworking spells it.
    @available(*, deprecated, renamed: "get")
    public static var GET: HTTPMethod { .get }

    /// `POST`, as SwiftNetworking spells it.
    @available(*, deprecated, renamed: "post")
    public static var POST: HTTPMethod { .post }

    /// `PUT`, as SwiftNetworking spells it.
    @available(*, deprecated, renamed: "put")
    public static var PUT: HTTPMethod { .put }

    /// `PATCH`, as SwiftNetworking spells it.
    @available(*, deprecated, renamed: "patch")
    public static var PATCH: HTTPMethod { .patch }

    /// `DELETE`, as SwiftNetworking spells it.
    @available(*, deprecated, renamed: "delete")
    public static var DELETE: HTTPMethod { .delete }
}

extension JSONDecoder {
    /// A decoder for keys in snake case and dates by ISO 8601.
    ///
    /// - Returns: A new decoder.
    @available(*, deprecated, renamed: "snakeCaseISO8601")
    public static func custom() -> JSONDecoder { .snakeCaseISO8601 }
}

extension DefaultRequest where Response: Decodable {
    /// Creates a target for a value: `DecodableTarget<[Game]>("games")`, `DataTarget("cover.png")`.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - method: The method. Defaults to GET.
    ///   - query: The query, sorted by name; nil values are left out. Defaults to none.
    ///   - body: The body, taken as JSON if `headers` do not say otherwise. Defaults to none.
    ///   - headers: The request's header fields. Defaults to none.
    ///   - decoder: Decodes the value. Defaults to snake case and dates by ISO 8601.
    @available(*, deprecated, message: "use init(path:method:queryParams:body:headers:decoder:)")
    public init(
        _ path: String,
        method: HTTPMethod = .get,
        query: [String: (any Sendable)?] = [:],
        body: Data? = nil,
        headers: HTTPHeaders = [:],
        decoder: JSONDecoder = .snakeCaseISO8601
    ) {
        self.init(
            path: path,
            method: method,
            queryParams: .init(query),
            body: body.map { .raw($0) },
            headers: headers.announcing(body),
            decoder: decoder
        )
    }
}

extension DefaultRequest where Response == Void {
    /// Creates a target whose response isn't read: `PlainTarget("games", method: .POST)`.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - method: The method. Defaults to GET.
    ///   - query: The query, sorted by name; nil values are left out. Defaults to none.
    ///   - body: The body, taken as JSON if `headers` do not say otherwise. Defaults to none.
    ///   - headers: The request's header fields. Defaults to none.
    @available(*, deprecated, message: "use init(path:method:queryParams:body:headers:)")
    public init(
        _ path: String,
        method: HTTPMethod = .get,
        query: [String: (any Sendable)?] = [:],
        body: Data? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.init(
            path: path,
            method: method,
            queryParams: .init(query),
            body: body.map { .raw($0) },
            headers: headers.announcing(body)
        )
    }
}

extension HTTPHeaders {
    /// The fields, with JSON as the type of a body that has none.
    fileprivate func announcing(_ body: Data?) -> HTTPHeaders {
        guard body != nil, contentType == nil else { return self }
        var fields = self
        fields.contentType = .json
        return fields
    }
}

/// A server, as SwiftNetworking names it.
@available(*, deprecated, renamed: "Endpoint")
public struct RegularHost: Sendable {
    /// The endpoint that sends the requests.
    public let endpoint: Endpoint

    /// Creates a host, whose responses are snake case with dates by ISO 8601.
    ///
    /// - Parameters:
    ///   - protocolName: The scheme. Defaults to `https`.
    ///   - address: Host, port and base path. Calls fail with `.invalidRequest` where it isn't valid.
    public init(protocolName: String = "https", _ address: String) {
        let url = URL(string: "\(protocolName)://\(address)") ?? URL(fileURLWithPath: address)
        endpoint = Endpoint(baseURL: url, decoder: .snakeCaseISO8601)
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
