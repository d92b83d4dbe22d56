public import Foundation

/// A request that needs no type of its own.
///
/// All properties can be changed.
///
/// ```swift
/// let ping = DefaultRequest<Void, ServerMessage>(path: "ping")
/// ```
public struct DefaultRequest<Response: Sendable, Failure: ServerError>: Request {
    /// What a 2xx response becomes.
    public typealias ResponseObjectType = Response
    /// What any other response becomes.
    public typealias ErrorType = Failure

    public var path: String
    public var method: HTTPMethod
    public var queryParams: [(String, String)]
    public var body: RequestBody?
    public var headers: HTTPHeaders
    public var timeout: TimeInterval?
    public var responseConverter: (any ResponseJSONConverter)?
    public var errorConverter: (any ResponseJSONConverter)?
    public var endpoint: Endpoint?
    public var decoder: JSONDecoder?
    public var authToken: AuthToken?
    public var isAuthenticated = true
    public var retryPolicy: RetryPolicy?
    public var cachePolicy = CachePolicy.standard
    public var responseDecoding: ResponseDecoding<Response>

    /// Makes a request with a decoding of its own.
    ///
    /// - Parameters:
    ///   - path: As ``Request/path``.
    ///   - method: As ``Request/method``.
    ///   - queryParams: As ``Request/queryParams``.
    ///   - body: As ``Request/body``.
    ///   - headers: As ``Request/headers``.
    ///   - timeout: As ``Request/timeout``, in seconds.
    ///   - responseConverter: As ``Request/responseConverter``.
    ///   - errorConverter: As ``Request/errorConverter``.
    ///   - endpoint: As ``Request/endpoint``.
    ///   - decoder: As ``Request/decoder``.
    ///   - authToken: As ``Request/authToken``.
    ///   - responseDecoding: How a 2xx response becomes the value.
    public init(
        path: String,
        method: HTTPMethod = .get,
        queryParams: [(String, String)] = [],
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:],
        timeout: TimeInterval? = nil,
        responseConverter: (any ResponseJSONConverter)? = nil,
        errorConverter: (any ResponseJSONConverter)? = nil,
        endpoint: Endpoint? = nil,
        decoder: JSONDecoder? = nil,
        authToken: AuthToken? = nil,
        responseDecoding: ResponseDecoding<Response>
    ) {
        self.path = path
        self.method = method
        self.queryParams = queryParams
        self.body = body
        self.headers = headers
        self.timeout = timeout
        self.responseConverter = responseConverter
        self.errorConverter = errorConverter
        self.endpoint = endpoint
        self.decoder = decoder
        self.authToken = authToken
        self.responseDecoding = responseDecoding
    }
}

extension DefaultRequest: SummarizedRequest {}
extension DefaultMultipartFormDataRequest: SummarizedRequest {}

/// A request that is printed as method, path without its query, and the names in the query: no values, no files.
protocol SummarizedRequest: Request, Concealed {}

extension SummarizedRequest {
    public var description: String {
        let names = queryParams.map(\.0) + queryItems.map(\.name)
        return "\(method) \(path.prefix { $0 != "?" && $0 != "#" })"
            + (names.isEmpty ? "" : "?" + names.joined(separator: "&"))
    }
}
