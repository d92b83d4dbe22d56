public import Dispatch
public import Foundation
public import NetKit

// The spellings of NetworkingService.

/// Another name for it, from NetworkingService.
@available(*, deprecated, renamed: "HTTPMethod")
public typealias HTTPMethodType = HTTPMethod

extension HTTPMethod {
    /// `UPDATE`.
    @available(*, deprecated, message: "use .custom(\"UPDATE\")")
    public static var update: HTTPMethod { .custom("UPDATE") }
}

/// A configuration is an endpoint.
@available(*, deprecated, renamed: "Endpoint")
public typealias ApiNetworkConfig = Endpoint

extension Endpoint {
    /// Creates an endpoint with header fields and a query for every call.
    ///
    /// Without `queryParameters`, `init(baseUrl:…headers:)` of NerdzNetworking takes the same call.
    ///
    /// - Parameters:
    ///   - baseUrl: The URL that paths are joined to.
    ///   - headers: Header fields of every request that doesn't override them.
    ///   - queryParameters: The query of every request, sorted by name.
    @available(*, deprecated, message: "use init(baseURL:headers:) and queryParams")
    public convenience init(
        baseUrl: URL,
        headers: [String: String],
        queryParameters: [String: String]
    ) {
        let fields = headers.sorted { $0.key < $1.key }.map { (HTTPHeaderName($0.key), $0.value) }
        self.init(baseURL: baseUrl, headers: HTTPHeaders(fields))
        queryParams = queryParameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Sends `request` in a new task.
    ///
    /// - Parameter request: The request.
    /// - Returns: The task; cancelling it cancels the call.
    @available(*, deprecated, message: "use value(for:) in a Task")
    public func request<R: Request>(with request: R) async -> Task<R.ResponseObjectType, any Error>
    {
        Task { try await value(for: request) }
    }

    /// Sends `request` and calls `completion` once.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - queue: The queue of `completion`. Nil, the default, means the endpoint's.
    ///   - completion: Receives the value or the error.
    /// - Returns: The call, which can be cancelled.
    @available(*, deprecated, message: "use execute(_:) with onSuccess and onFail")
    @discardableResult
    public func request<R: Request>(
        with request: R,
        on queue: DispatchQueue? = nil,
        completion:
            @escaping @Sendable (Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>) -> Void
    ) -> RequestExecutionOperation<R> {
        let operation = execute(request)
        if let queue { operation.response(on: queue) }
        return operation.onSuccess { completion(.success($0)) }.onFail { completion(.failure($0)) }
    }

    /// Sends several requests and waits for all of them.
    ///
    /// - Parameter requests: The requests.
    /// - Returns: The result of each, in the order of the requests.
    @available(*, deprecated, renamed: "values(for:)")
    public func request<R: Request>(
        with requests: [R]
    ) async -> [Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>] {
        await values(for: requests)
    }
}

extension ErrorResponse {
    /// Whether the status is 404.
    @available(*, deprecated, message: "use statusCode == 404")
    public var isNotFoundError: Bool { statusCode == 404 }
}

/// A path below the base URL, or a absolute URL.
@available(*, deprecated, message: "a path of NetKit may be either")
public enum PathType: Hashable, Sendable {
    /// Below the base URL.
    case path(String)
    /// An absolute URL.
    case fullPath(String)

    /// An absolute URL.
    ///
    /// - Parameter address: The address.
    /// - Returns: The same as `fullPath`.
    public static func urlPath(_ address: String) -> PathType { .fullPath(address) }
}

/// Creates a value of the bytes of a response.
@available(*, deprecated, renamed: "ResponseDecoding")
public protocol ResponseDecoder: Sendable {
    /// Creates the value.
    ///
    /// - Parameter data: The body.
    /// - Returns: The value.
    /// - Throws: Any error; the call then fails with `.decoding`.
    func decode<Value: Decodable>(data: Data) throws -> Value
}

/// Decodes JSON.
@available(*, deprecated, message: "use ResponseDecoding.json")
public struct JsonResponseDecoder: ResponseDecoder {
    /// Creates a decoder.
    public init() {}

    public func decode<Value: Decodable>(data: Data) throws -> Value {
        try JSONDecoder().decode(Value.self, from: data)
    }
}

/// Returns the body as it is.
@available(*, deprecated, message: "use ResponseDecoding.data")
public struct RawDataResponseDecoder: ResponseDecoder {
    /// Creates a decoder.
    public init() {}

    public func decode<Value: Decodable>(data: Data) throws -> Value {
        guard let value = data as? Value else {
            throw DecodingError.typeMismatch(
                Value.self,
                .init(codingPath: [], debugDescription: "the bytes are Data, and no \(Value.self)")
            )
        }
        return value
    }
}

/// A request that needs no type of its own.
@available(*, deprecated, renamed: "DefaultRequest")
public typealias ApiEndpoint<Value: ResponseObject> = DefaultRequest<Value, ServerMessage>

extension DefaultRequest where Response: Decodable {
    /// Creates a request as NetworkingService describes an endpoint.
    ///
    /// - Parameters:
    ///   - path: The path or URL.
    ///   - method: The method.
    ///   - headerParameters: The request's header fields. Defaults to none.
    ///   - queryParameters: The query, sorted by name; nil values are left out. Defaults to none.
    ///   - bodyParameters: The members of a JSON object; no body if there are none.
    ///   - timeout: The longest time in seconds without a byte. Defaults to 60.
    ///   - responseDecoder: Decodes the value. Defaults to one for JSON.
    @available(*, deprecated, message: "use init(path:method:queryParams:body:headers:timeout:)")
    public init(
        path: PathType,
        method: HTTPMethod,
        headerParameters: [String: String] = [:],
        queryParameters: [String: (any Sendable)?] = [:],
        bodyParameters: [String: any Sendable] = [:],
        timeout: TimeInterval = 60,
        responseDecoder: any ResponseDecoder = JsonResponseDecoder()
    ) {
        let address =
            switch path {
            case .path(let text), .fullPath(let text): text
            }
        let fields = headerParameters.sorted { $0.key < $1.key }
            .map { (HTTPHeaderName($0.key), $0.value) }
        self.init(
            path: address,
            method: method,
            queryParams: .init(queryParameters),
            body: bodyParameters.isEmpty ? nil : .params(bodyParameters),
            headers: HTTPHeaders(fields),
            timeout: timeout,
            responseDecoding: responseDecoder is JsonResponseDecoder
                ? .json
                : ResponseDecoding { response, _ in try responseDecoder.decode(data: response.body)
                }
        )
    }
}
