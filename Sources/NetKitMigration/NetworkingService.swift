public import Dispatch
public import Foundation
public import NetKit
import NetKitSupport

// Names from NetworkingService.

/// NetworkingService's name for `HTTPMethod`.
@available(*, deprecated, renamed: "HTTPMethod")
public typealias HTTPMethodType = HTTPMethod

extension HTTPMethod {
    /// `UPDATE`.
    @available(*, deprecated, message: "use .custom(\"UPDATE\")")
    public static var update: HTTPMethod { .custom("UPDATE") }
}

/// NetworkingService's name for `Endpoint`.
@available(*, deprecated, renamed: "Endpoint")
public typealias ApiNetworkConfig = Endpoint

extension Endpoint {
    /// Creates an endpoint with header fields and query parameters for every call.
    ///
    /// - Parameters:
    ///   - baseUrl: The base URL, which paths are appended to.
    ///   - headers: Header fields of every request that doesn't override them. Defaults to none.
    ///   - queryParameters: The query parameters of every request, which are sorted by name. Defaults to none.
    @available(*, deprecated, message: "use init(baseURL:headers:) and queryParams")
    @_disfavoredOverload
    public convenience init(
        baseUrl: URL,
        headers: [String: String] = [:],
        queryParameters: [String: String] = [:]
    ) {
        self.init(baseURL: baseUrl, headers: HTTPHeaders(headers))
        queryParams = queryParameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension ErrorResponse {
    /// Whether the status code is 404.
    @available(*, deprecated, message: "use statusCode == 404")
    public var isNotFoundError: Bool { statusCode == 404 }
}

/// A path below the base URL, or an absolute URL.
@available(*, deprecated, message: "a path of NetKit may be either")
public enum PathType: ExpressibleByStringLiteral, Hashable, Sendable {
    /// A path below the base URL.
    case path(String)
    /// An absolute URL.
    case fullPath(String)

    /// Creates a path below the base URL, or an absolute URL.
    public init(stringLiteral value: String) { self = .path(value) }

    /// Creates an absolute URL.
    ///
    /// - Parameter address: The URL.
    /// - Returns: A `fullPath`.
    public static func urlPath(_ address: String) -> PathType { .fullPath(address) }
}

/// A type that decodes a value from the bytes of a response.
@available(*, deprecated, renamed: "ResponseDecoding")
public protocol ResponseDecoder: Sendable {
    /// Decodes a value.
    ///
    /// - Parameter data: The response body.
    /// - Returns: The value.
    /// - Throws: Any error. The call then fails with `.decoding`.
    func decode<Value: Decodable>(data: Data) throws -> Value
}

/// A decoder for JSON.
@available(*, deprecated, message: "use ResponseDecoding.json")
public struct JsonResponseDecoder: ResponseDecoder {
    /// Creates a decoder.
    public init() {}

    public func decode<Value: Decodable>(data: Data) throws -> Value {
        try JSONDecoder().decodeBounded(Value.self, from: data)
    }
}

/// A decoder that returns the response body unchanged.
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

/// NetworkingService's name for a ready-made request.
@available(*, deprecated, renamed: "DefaultRequest")
public typealias ApiEndpoint<Value: ResponseObject> = DefaultRequest<Value, ServerMessage>

extension DefaultRequest where Response: Decodable {
    /// Creates a request with NetworkingService's parameters.
    ///
    /// - Parameters:
    ///   - path: The path or absolute URL.
    ///   - method: The HTTP method.
    ///   - headerParameters: The request's header fields. Defaults to none.
    ///   - queryParameters: The query parameters, which are sorted by name. Nil values are omitted. Defaults to
    ///     none.
    ///   - bodyParameters: The members of a JSON object, or none for a request without a body. Defaults to none.
    ///   - timeout: The idle timeout, in seconds. Defaults to 60.
    ///   - responseDecoder: The decoder for the value. Defaults to a JSON decoder.
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

// The layers of NetworkingService, which are all one endpoint.

/// NetworkingService's protocol for what sends requests and decodes their responses.
@available(*, deprecated, renamed: "Endpoint")
public protocol NetworkDataTransferService: Sendable {
    /// The endpoint that sends the requests.
    var endpoint: Endpoint { get }
}

@available(*, deprecated)
extension Endpoint: NetworkDataTransferService {
    /// The endpoint itself.
    public var endpoint: Endpoint { self }
}

@available(*, deprecated)
extension NetworkDataTransferService {
    /// Sends a request in a new task.
    ///
    /// - Parameter request: The request.
    /// - Returns: The task. Canceling it cancels the call.
    @available(*, deprecated, message: "use Endpoint.value(for:) in a Task")
    public func request<R: Request>(with request: R) async -> Task<R.ResponseObjectType, any Error>
    {
        Task { [endpoint] in try await endpoint.value(for: request) }
    }

    /// Sends a request and calls a closure with the result, once.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - queue: The queue that runs the closure. Defaults to nil, the endpoint's queue.
    ///   - completion: A closure that receives the value or the error.
    /// - Returns: The call, which can be canceled.
    @available(*, deprecated, message: "use Endpoint.execute(_:) with onSuccess and onFail")
    @discardableResult
    public func request<R: Request>(
        with request: R,
        on queue: DispatchQueue? = nil,
        completion:
            @escaping @Sendable (Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>) -> Void
    ) -> RequestExecutionOperation<R> {
        let operation = endpoint.execute(request)
        if let queue { operation.response(on: queue) }
        return operation.onSuccess { completion(.success($0)) }.onFail { completion(.failure($0)) }
    }

    /// Sends several requests and waits for all of them.
    ///
    /// - Parameter requests: The requests.
    /// - Returns: The results, in the order of the requests.
    @available(*, deprecated, message: "use Endpoint.values(for:)")
    public func request<R: Request>(
        with requests: [R]
    ) async -> [Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>] {
        await endpoint.values(for: requests)
    }
}

/// NetworkingService's choice of a session manager.
@available(*, deprecated, message: "omit it: an Endpoint has its own session")
public enum NetworkSessionManagerType: Sendable {
    /// The session of the configuration.
    case defaultType
}

/// NetworkingService's choice of a logger.
@available(*, deprecated, message: "set Endpoint.logger")
public enum NetworkLoggerType: Sendable {
    /// The logger of the configuration, which by default logs nothing.
    case defaultType
}

/// NetworkingService's name for what sends requests.
@available(*, deprecated, message: "use the configuration, which is an Endpoint")
public struct DefaultNetworkService: NetworkDataTransferService {
    public let endpoint: Endpoint

    /// Creates a service that sends requests to the URL of a configuration.
    ///
    /// - Parameters:
    ///   - networkConfig: The configuration. The service uses its later changes, too.
    ///   - sessionManagerType: The session. Defaults to that of the configuration.
    ///   - loggerType: The logger. Defaults to that of the configuration.
    public init(
        networkConfig: Endpoint,
        sessionManagerType: NetworkSessionManagerType = .defaultType,
        loggerType: NetworkLoggerType = .defaultType
    ) {
        endpoint = networkConfig
    }
}

/// NetworkingService's logger of failed calls.
@available(*, deprecated, message: "set Endpoint.logger to a ConsoleLogger(level: .error)")
public struct DefaultNetworkDataTransferErrorLogger: Sendable {
    /// Creates a logger.
    public init() {}
}

/// NetworkingService's name for what sends requests and decodes their responses.
@available(*, deprecated, message: "use the configuration, which is an Endpoint")
public struct DefaultNetworkDataTransferService: NetworkDataTransferService {
    public let endpoint: Endpoint

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - networkService: What sends the requests.
    ///   - logger: Writes each failed call to standard error, in one line, unless the configuration has a logger that does
    ///     more. The service then uses the settings that the configuration has now. Defaults to nil.
    public init(
        networkService: DefaultNetworkService,
        logger: DefaultNetworkDataTransferErrorLogger? = nil
    ) {
        endpoint =
            logger == nil
            ? networkService.endpoint
            : Endpoint(like: networkService.endpoint) { settings in
                if settings.logger == nil {
                    settings.logger = ConsoleLogger(level: .error)
                }
            }
    }
}
