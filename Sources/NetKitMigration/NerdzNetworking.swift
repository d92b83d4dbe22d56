public import Dispatch
public import Foundation
public import NetKit

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// The spellings of NerdzNetworking.

/// A converter as NerdzNetworking spells it; implementing the one method is enough.
@available(*, deprecated, renamed: "ResponseJSONConverter")
public protocol ResponseJsonConverter: ResponseJSONConverter {
    /// Converts parsed JSON.
    ///
    /// - Parameter json: The parsed JSON.
    /// - Returns: The JSON to decode.
    /// - Throws: Any error; the response then can't be decoded.
    @available(*, deprecated, renamed: "convertedJSON(from:)")
    func convertedJson(from json: Any) throws -> Any
}

@available(*, deprecated)
extension ResponseJsonConverter {
    /// Calls ``convertedJson(from:)``.
    ///
    /// - Parameter json: The parsed JSON.
    /// - Returns: The JSON to decode.
    /// - Throws: The error of that method.
    public func convertedJSON(from json: Any) throws -> Any { try convertedJson(from: json) }
}

/// Another name for it, from NerdzNetworking.
@available(*, deprecated, renamed: "MultipartResourceConvertible")
public typealias MultipartResourceConvertable = MultipartResourceConvertible

/// Another name for it, from NerdzNetworking.
@available(*, deprecated, renamed: "HTTPStatus")
public typealias StatusCode = HTTPStatus

extension HTTPMethod {
    /// `PATCH`, as NerdzNetworking's documentation spells it.
    @available(*, deprecated, renamed: "patch")
    public static var path: HTTPMethod { .patch }
}

extension Endpoint {
    /// The URL that paths are joined to.
    @available(*, deprecated, renamed: "baseURL")
    public var baseUrl: URL { baseURL }

    /// Creates an endpoint over a `URLSession` of its own.
    ///
    /// - Parameters:
    ///   - baseUrl: The URL that paths are joined to.
    ///   - decoder: The decoder of requests without one.
    ///   - responseQueue: The queue of handlers without one.
    ///   - sessionConfiguration: The session's configuration.
    ///   - retryingCount: How often a call is retried if it is safe to repeat. Defaults to that of
    ///     `RetryPolicy.standard`.
    ///   - headers: Header fields of every request that doesn't override them.
    @available(
        *,
        deprecated,
        renamed: "init(baseURL:decoder:responseQueue:sessionConfiguration:retryingCount:headers:)"
    )
    public convenience init(
        baseUrl: URL,
        decoder: JSONDecoder? = nil,
        responseQueue: DispatchQueue? = nil,
        sessionConfiguration: URLSessionConfiguration = .default,
        retryingCount: Int = RetryPolicy.standard.maximumRetries,
        headers: HTTPHeaders = [:]
    ) {
        self.init(
            baseURL: baseUrl,
            decoder: decoder,
            responseQueue: responseQueue,
            sessionConfiguration: sessionConfiguration,
            retryingCount: retryingCount,
            headers: headers
        )
    }

    /// Sends `request` and waits for its value.
    ///
    /// - Parameter request: The request.
    /// - Returns: The decoded value.
    /// - Throws: The call's error.
    @available(*, deprecated, renamed: "value(for:)")
    public func asyncExecute<R: Request>(
        _ request: R
    ) async throws(ErrorResponse<R.ErrorType>) -> R.ResponseObjectType {
        try await value(for: request)
    }
}

extension Request {
    /// Sends the request to its own endpoint, else the default one, and waits for its value.
    ///
    /// - Returns: The decoded value.
    /// - Throws: The call's error.
    @available(*, deprecated, message: "use execute().value")
    public func asyncExecute() async throws(ErrorResponse<ErrorType>) -> ResponseObjectType {
        try await execute().value
    }

    /// Sends the request to `endpoint` and waits for its value.
    ///
    /// - Parameter endpoint: The endpoint.
    /// - Returns: The decoded value.
    /// - Throws: The call's error.
    @available(*, deprecated, message: "use endpoint.value(for:)")
    public func asyncExecute(
        on endpoint: Endpoint
    ) async throws(ErrorResponse<ErrorType>) -> ResponseObjectType {
        try await endpoint.value(for: self)
    }
}

extension AuthToken {
    /// Reads the value of an `Authorization` field.
    ///
    /// - Parameter authorization: The value, with its scheme; nil is returned for an empty one.
    @available(*, deprecated, message: "set the field, and read HTTPHeaders.authToken")
    public init?(_ authorization: String) {
        let fields: HTTPHeaders = [.authorization: authorization]
        guard let token = fields.authToken else { return nil }
        self = token
    }
}

extension MimeType {
    /// The same as `rawValue`.
    @available(*, deprecated, renamed: "rawValue")
    public var value: String { rawValue }
}

extension DefaultRequest where Response: Decodable {
    /// Creates a request of an absolute URL.
    ///
    /// - Parameters:
    ///   - url: The http or https URL, with its query.
    ///   - method: The method. Defaults to GET.
    ///   - body: The body. Defaults to none.
    ///   - headers: The request's header fields. Defaults to none.
    @available(*, deprecated, message: "use init(path:), which takes an absolute URL")
    public init(
        url: URL,
        method: HTTPMethod = .get,
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.init(path: url.absoluteString, method: method, body: body, headers: headers)
    }
}

extension DefaultRequest where Response == Void {
    /// Creates a request of an absolute URL whose response isn't read.
    ///
    /// - Parameters:
    ///   - url: The http or https URL, with its query.
    ///   - method: The method. Defaults to GET.
    ///   - body: The body. Defaults to none.
    ///   - headers: The request's header fields. Defaults to none.
    @available(*, deprecated, message: "use init(path:), which takes an absolute URL")
    public init(
        url: URL,
        method: HTTPMethod = .get,
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.init(path: url.absoluteString, method: method, body: body, headers: headers)
    }
}
