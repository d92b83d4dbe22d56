public import Foundation

/// A multipart request that needs no type of its own.
///
/// As ``DefaultRequest``, with files; the method is POST unless another is given.
public struct DefaultMultipartFormDataRequest<Response: Sendable, Failure: ServerError>:
    MultipartFormDataRequest
{
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
    public var files: [any MultipartFile]
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
    ///   - files: As ``MultipartFormDataRequest/files``.
    ///   - responseDecoding: How a 2xx response becomes the value.
    public init(
        path: String,
        method: HTTPMethod = .post,
        queryParams: [(String, String)] = [],
        body: RequestBody? = nil,
        headers: HTTPHeaders = [:],
        timeout: TimeInterval? = nil,
        responseConverter: (any ResponseJSONConverter)? = nil,
        errorConverter: (any ResponseJSONConverter)? = nil,
        endpoint: Endpoint? = nil,
        decoder: JSONDecoder? = nil,
        authToken: AuthToken? = nil,
        files: [any MultipartFile] = [],
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
        self.files = files
        self.responseDecoding = responseDecoding
    }
}
