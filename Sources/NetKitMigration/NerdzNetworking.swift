public import Dispatch
public import Foundation
public import NetKit

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// Names from NerdzNetworking.

/// NerdzNetworking's converter protocol, with a single required method.
@available(*, deprecated, renamed: "ResponseJSONConverter")
public protocol ResponseJsonConverter: ResponseJSONConverter {
    /// Converts parsed JSON before it is decoded.
    ///
    /// - Parameter json: The parsed JSON.
    /// - Returns: The JSON to decode.
    /// - Throws: Any error. The call then fails with a decoding error.
    @available(*, deprecated, renamed: "convertedJSON(from:)")
    func convertedJson(from json: Any) throws -> Any
}

@available(*, deprecated)
extension ResponseJsonConverter {
    /// Calls ``convertedJson(from:)``.
    ///
    /// - Parameter json: The parsed JSON.
    /// - Returns: The JSON to decode.
    /// - Throws: Any error that the method throws.
    public func convertedJSON(from json: Any) throws -> Any { try convertedJson(from: json) }
}

@available(*, deprecated)
extension KeyPathResponseConverter: ResponseJsonConverter {
    /// Calls `convertedJSON(from:)`.
    ///
    /// - Parameter json: The parsed JSON.
    /// - Returns: The value at the path.
    /// - Throws: The errors of `convertedJSON(from:)`.
    public func convertedJson(from json: Any) throws -> Any { try convertedJSON(from: json) }
}

@available(*, deprecated)
extension ClosureResponseConverter: ResponseJsonConverter {
    /// Calls `convertedJSON(from:)`.
    ///
    /// - Parameter json: The parsed JSON.
    /// - Returns: The result of the closure.
    /// - Throws: Any error that the closure throws.
    public func convertedJson(from json: Any) throws -> Any { try convertedJSON(from: json) }
}

extension ObservationManager {
    /// Registers an observer for calls of one type of request.
    ///
    /// - Parameter observer: A closure that receives the request, and its value or its error.
    /// - Returns: The token for `unregister(_:)`.
    @available(*, deprecated, message: "use register(for: R.self) { request, result in }")
    @discardableResult
    public func register<R: Request>(
        _ observer:
            @escaping @Sendable (R, R.ResponseObjectType?, ErrorResponse<R.ErrorType>?) -> Void
    ) -> Token {
        register(for: R.self) { request, result in
            switch result {
            case .success(let value): observer(request, value, nil)
            case .failure(let error): observer(request, nil, error)
            }
        }
    }

    /// Removes an observer.
    ///
    /// - Parameter token: The token of its registration.
    @available(*, deprecated, renamed: "unregister(_:)")
    public func unregisterObserver(with token: Token) { unregister(token) }
}

/// NerdzNetworking's name for `MultipartResourceConvertible`.
@available(*, deprecated, renamed: "MultipartResourceConvertible")
public typealias MultipartResourceConvertable = MultipartResourceConvertible

/// NerdzNetworking's name for `HTTPStatus`.
@available(*, deprecated, renamed: "HTTPStatus")
public typealias StatusCode = HTTPStatus

extension HTTPMethod {
    /// `PATCH`, with the spelling in NerdzNetworking's documentation.
    @available(*, deprecated, renamed: "patch")
    public static var path: HTTPMethod { .patch }
}

extension Endpoint {
    /// The base URL, which paths are appended to.
    @available(*, deprecated, renamed: "baseURL")
    public var baseUrl: URL { baseURL }

    /// Creates an endpoint with a separate `URLSession`.
    ///
    /// - Parameters:
    ///   - baseUrl: The base URL, which paths are appended to.
    ///   - decoder: The decoder for requests without a decoder. Defaults to nil.
    ///   - responseQueue: The queue for handlers without a queue. Defaults to nil.
    ///   - sessionConfiguration: The session's configuration. Defaults to `.default`.
    ///   - retryingCount: The maximum number of retries of a call that is safe to repeat. Defaults to that of
    ///     `RetryPolicy.standard`.
    ///   - headers: Header fields of every request that doesn't override them. Defaults to none.
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

    /// Sends a request and waits for its value.
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
    /// Sends the request to its endpoint, or the default endpoint, and waits for its value.
    ///
    /// - Returns: The decoded value.
    /// - Throws: The call's error.
    @available(*, deprecated, message: "use execute().value")
    public func asyncExecute() async throws(ErrorResponse<ErrorType>) -> ResponseObjectType {
        try await execute().value
    }

    /// Sends the request to an endpoint and waits for its value.
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
    /// Creates a credential from the value of an `Authorization` field.
    ///
    /// - Parameter authorization: The value, including its scheme. The result is nil for an empty value.
    @available(*, deprecated, message: "set the field, and read HTTPHeaders.authToken")
    public init?(_ authorization: String) {
        let fields: HTTPHeaders = [.authorization: authorization]
        guard let token = fields.authToken else { return nil }
        self = token
    }
}

extension MimeType {
    /// The same text as `rawValue`.
    @available(*, deprecated, renamed: "rawValue")
    public var value: String { rawValue }
}

extension DefaultRequest where Response: Decodable {
    /// Creates a request to an absolute URL.
    ///
    /// - Parameters:
    ///   - url: The http or https URL, including its query.
    ///   - method: The HTTP method. Defaults to GET.
    ///   - body: The request body. Defaults to none.
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
    /// Creates a request to an absolute URL that ignores the response body.
    ///
    /// - Parameters:
    ///   - url: The http or https URL, including its query.
    ///   - method: The HTTP method. Defaults to GET.
    ///   - body: The request body. Defaults to none.
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
