public import Foundation
import NetKitSupport

/// A ready-made request, for calls that don't need a type.
///
/// All properties are mutable.
///
/// ```swift
/// var ping = DefaultRequest<Void, ServerMessage>(path: "ping")
/// ping.priority = .high
/// ```
public struct DefaultRequest<Response: Sendable, Failure: ServerError>: Request {
    /// The error type that any other response decodes to.
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
    public var queryItems: [QueryItem] = []
    public var interceptors: [any Interceptor] = []
    public var isCoalesced = false
    public var isAuthenticated = true
    public var retryPolicy: RetryPolicy?
    public var cachePolicy = CachePolicy.standard
    public var priority = RequestPriority.normal
    public var context = RequestContext()
    public var redaction: Redaction?
    public var responseDecoding: ResponseDecoding<Response>

    /// Creates a request whose response type selects the decoding, as in ``Request/responseDecoding``.
    ///
    /// ```swift
    /// DefaultRequest<User, ServerMessage>(path: "users/42")
    /// DefaultRequest<Void, ServerMessage>(path: "users/42", method: .delete)
    /// ```
    ///
    /// The response type is `Decodable` or `Void`, which is the tuple of no parts. A tuple of several types decodes each
    /// part from the same body.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - method: The HTTP method. Defaults to GET.
    ///   - queryParams: The query parameters, in sending order. Defaults to none.
    ///   - body: The request body. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - timeout: The idle timeout, in seconds. Defaults to nil, the endpoint's timeout.
    ///   - responseConverter: A converter for the JSON of 2xx responses. Defaults to nil.
    ///   - errorConverter: A converter for the JSON of all other responses. Defaults to nil.
    ///   - endpoint: The endpoint. Defaults to nil, which means ``Endpoint/default``.
    ///   - decoder: The JSON decoder. Defaults to nil, the endpoint's decoder.
    ///   - authToken: The credential. Defaults to nil, the endpoint's credential.
    public init<each Part: Decodable & Sendable>(
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
        authToken: AuthToken? = nil
    ) where Response == (repeat each Part) {
        self.init(
            path: path,
            method: method,
            queryParams: queryParams,
            body: body,
            headers: headers,
            timeout: timeout,
            responseConverter: responseConverter,
            errorConverter: errorConverter,
            endpoint: endpoint,
            decoder: decoder,
            authToken: authToken,
            responseDecoding: .byType()
        )
    }

    /// Creates a request with a custom decoding.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - method: The HTTP method. Defaults to GET.
    ///   - queryParams: The query parameters, in sending order. Defaults to none.
    ///   - body: The request body. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - timeout: The idle timeout, in seconds. Defaults to nil, the endpoint's timeout.
    ///   - responseConverter: A converter for the JSON of 2xx responses. Defaults to nil.
    ///   - errorConverter: A converter for the JSON of all other responses. Defaults to nil.
    ///   - endpoint: The endpoint. Defaults to nil, which means ``Endpoint/default``.
    ///   - decoder: The JSON decoder. Defaults to nil, the endpoint's decoder.
    ///   - authToken: The credential. Defaults to nil, the endpoint's credential.
    ///   - responseDecoding: The decoding that turns a 2xx response into the value.
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
        (self.path, self.method, self.queryParams, self.body) = (path, method, queryParams, body)
        (self.headers, self.timeout, self.responseConverter) = (headers, timeout, responseConverter)
        (self.errorConverter, self.endpoint, self.decoder) = (errorConverter, endpoint, decoder)
        (self.authToken, self.responseDecoding) = (authToken, responseDecoding)
    }
}

extension DefaultRequest: SummarizedRequest {}
extension DefaultMultipartFormDataRequest: SummarizedRequest {}

/// A request whose description contains no values or files.
///
/// The description consists of the method, the path without its query, and the query names.
protocol SummarizedRequest: Request, Concealed {}

extension SummarizedRequest {
    package var shown: String {
        let names = queryParams.map(\.0) + queryItems.map(\.name)
        let target = path.prefix { $0 != "?" && $0 != "#" }
        // A slash in front of any other path, so that what looks like a scheme is redacted as a user.
        let isAbsolute = WrittenPath(path).isAbsolute
        let shown =
            isAbsolute
            ? RedactedURL(target: String(target)).description
            : String(RedactedURL(target: "/\(target)").description.dropFirst())
        return "\(method) \(shown)" + (names.isEmpty ? "" : "?" + names.joined(separator: "&"))
    }
}

/// A ready-made multipart request, for uploads that don't need a type.
///
/// It works like ``DefaultRequest`` and adds files.
public struct DefaultMultipartFormDataRequest<Response: Sendable, Failure: ServerError>:
    MultipartFormDataRequest
{
    /// The error type that any other response decodes to.
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
    public var queryItems: [QueryItem] = []
    public var interceptors: [any Interceptor] = []
    public var isCoalesced = false
    public var isAuthenticated = true
    public var retryPolicy: RetryPolicy?
    public var cachePolicy = CachePolicy.standard
    public var priority = RequestPriority.normal
    public var context = RequestContext()
    public var redaction: Redaction?
    public var files: [any MultipartFile]
    public var responseDecoding: ResponseDecoding<Response>

    /// Creates a request whose response type selects the decoding, as in ``Request/responseDecoding``.
    ///
    /// The response type is `Decodable` or `Void`, which is the tuple of no parts.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - method: The HTTP method. Defaults to POST.
    ///   - queryParams: The query parameters, in sending order. Defaults to none.
    ///   - body: The request body. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - timeout: The idle timeout, in seconds. Defaults to nil, the endpoint's timeout.
    ///   - responseConverter: A converter for the JSON of 2xx responses. Defaults to nil.
    ///   - errorConverter: A converter for the JSON of all other responses. Defaults to nil.
    ///   - endpoint: The endpoint. Defaults to nil, which means ``Endpoint/default``.
    ///   - decoder: The JSON decoder. Defaults to nil, the endpoint's decoder.
    ///   - authToken: The credential. Defaults to nil, the endpoint's credential.
    ///   - files: The files, in sending order. Defaults to none.
    public init<each Part: Decodable & Sendable>(
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
        files: [any MultipartFile] = []
    ) where Response == (repeat each Part) {
        self.init(
            path: path,
            method: method,
            queryParams: queryParams,
            body: body,
            headers: headers,
            timeout: timeout,
            responseConverter: responseConverter,
            errorConverter: errorConverter,
            endpoint: endpoint,
            decoder: decoder,
            authToken: authToken,
            files: files,
            responseDecoding: .byType()
        )
    }

    /// Creates a request with a custom decoding.
    ///
    /// - Parameters:
    ///   - path: The path, as in ``Request/path``.
    ///   - method: The HTTP method. Defaults to POST.
    ///   - queryParams: The query parameters, in sending order. Defaults to none.
    ///   - body: The request body. Defaults to none.
    ///   - headers: Header fields that override the endpoint's. Defaults to none.
    ///   - timeout: The idle timeout, in seconds. Defaults to nil, the endpoint's timeout.
    ///   - responseConverter: A converter for the JSON of 2xx responses. Defaults to nil.
    ///   - errorConverter: A converter for the JSON of all other responses. Defaults to nil.
    ///   - endpoint: The endpoint. Defaults to nil, which means ``Endpoint/default``.
    ///   - decoder: The JSON decoder. Defaults to nil, the endpoint's decoder.
    ///   - authToken: The credential. Defaults to nil, the endpoint's credential.
    ///   - files: The files, in sending order. Defaults to none.
    ///   - responseDecoding: The decoding that turns a 2xx response into the value.
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
        (self.path, self.method, self.queryParams, self.body) = (path, method, queryParams, body)
        (self.headers, self.timeout, self.responseConverter) = (headers, timeout, responseConverter)
        (self.errorConverter, self.endpoint, self.decoder) = (errorConverter, endpoint, decoder)
        (self.authToken, self.files, self.responseDecoding) = (authToken, files, responseDecoding)
    }
}
