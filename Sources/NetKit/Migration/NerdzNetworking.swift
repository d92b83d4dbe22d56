public import Dispatch
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// The spellings of NerdzNetworking.

/// A converter as NerdzNetworking spells it; implementing the one method is enough.
@available(*, deprecated, renamed: "ResponseJSONConverter")
public protocol ResponseJsonConverter: ResponseJSONConverter {
    /// Converts parsed JSON.
    ///
    /// - Parameter json: What was parsed.
    /// - Returns: What is decoded instead.
    /// - Throws: Whatever makes the response one that cannot be decoded.
    @available(*, deprecated, renamed: "convertedJSON(from:)")
    func convertedJson(from json: Any) throws -> Any
}

@available(*, deprecated)
extension ResponseJsonConverter {
    /// Calls ``convertedJson(from:)``.
    ///
    /// - Parameter json: What was parsed.
    /// - Returns: What is decoded instead.
    /// - Throws: What that throws.
    public func convertedJSON(from json: Any) throws -> Any { try convertedJson(from: json) }
}

/// The same under the name of NerdzNetworking.
@available(*, deprecated, renamed: "MultipartResourceConvertible")
public typealias MultipartResourceConvertable = MultipartResourceConvertible

/// The same under the name of NerdzNetworking.
@available(*, deprecated, renamed: "HTTPStatus")
public typealias StatusCode = HTTPStatus

extension HTTPMethod {
    /// `PATCH`, as NerdzNetworking's documentation spells it.
    @available(*, deprecated, renamed: "patch")
    public static var path: HTTPMethod { .patch }
}

extension Endpoint {
    /// What paths are joined to.
    @available(*, deprecated, renamed: "baseURL")
    public var baseUrl: URL { baseURL }

    /// Makes an endpoint over a `URLSession` of its own.
    ///
    /// - Parameters:
    ///   - baseUrl: What paths are joined to.
    ///   - decoder: Decodes responses that name no decoder.
    ///   - responseQueue: Runs the callbacks of operations that name no queue.
    ///   - sessionConfiguration: What the session starts from.
    ///   - retryingCount: How often a call that is safe to repeat is retried. Defaults to that of
    ///     `RetryPolicy.standard`.
    ///   - headers: Sent with every request that does not say otherwise.
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
    /// - Parameter request: What to ask.
    /// - Returns: The decoded value.
    /// - Throws: The call's one error.
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
    /// - Throws: The call's one error.
    @available(*, deprecated, message: "use execute().value")
    public func asyncExecute() async throws(ErrorResponse<ErrorType>) -> ResponseObjectType {
        try await execute().value
    }

    /// Sends the request to `endpoint` and waits for its value.
    ///
    /// - Parameter endpoint: Where to send it.
    /// - Returns: The decoded value.
    /// - Throws: The call's one error.
    @available(*, deprecated, message: "use endpoint.value(for:)")
    public func asyncExecute(
        on endpoint: Endpoint
    ) async throws(ErrorResponse<ErrorType>) -> ResponseObjectType {
        try await endpoint.value(for: self)
    }
}
