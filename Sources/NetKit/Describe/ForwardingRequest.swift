public import Foundation

/// A request that wraps another request and forwards every requirement it doesn't implement.
///
/// ```swift
/// struct Versioned<Base: Request>: ForwardingRequest {
///     typealias ErrorType = Base.ErrorType
///     let base: Base
///     var wrappedRequest: any Request { base }
///     var headers: HTTPHeaders { base.headers.merging(["X-API-Version": "2"]) }
///     var responseConverter: (any ResponseJSONConverter)? { base.responseConverter }
///     var responseDecoding: ResponseDecoding<Base.ResponseObjectType> { base.responseDecoding }
/// }
/// ```
///
/// Parameters such as ``Query``, and the files of a ``MultipartFormDataRequest``, come from the wrapped request.
/// ``Request/responseConverter`` and ``Request/responseDecoding`` depend on the value's type and aren't forwarded.
public protocol ForwardingRequest: Request {
    /// The wrapped request.
    var wrappedRequest: any Request { get }
}

extension ForwardingRequest {
    public var path: String { wrappedRequest.path }
    public var method: HTTPMethod { wrappedRequest.ownMethod }
    public var queryParams: [(String, String)] { wrappedRequest.queryParams }
    public var queryItems: [QueryItem] { wrappedRequest.queryItems }
    public var body: RequestBody? { wrappedRequest.body }
    public var headers: HTTPHeaders { wrappedRequest.headers }
    public var timeout: TimeInterval? { wrappedRequest.ownTimeout.map { $0 / .seconds(1) } }
    public var authToken: AuthToken? { wrappedRequest.authToken }
    public var isAuthenticated: Bool { wrappedRequest.isAuthenticated }
    public var retryPolicy: RetryPolicy? { wrappedRequest.retryPolicy }
    public var errorConverter: (any ResponseJSONConverter)? { wrappedRequest.ownErrorConverter }
    public var endpoint: Endpoint? { wrappedRequest.endpoint }
    public var decoder: JSONDecoder? { wrappedRequest.decoder }
    public var interceptors: [any Interceptor] { wrappedRequest.interceptors }
    public var cachePolicy: CachePolicy { wrappedRequest.cachePolicy }
    public var isCoalesced: Bool { wrappedRequest.isCoalesced }
    public var priority: RequestPriority { wrappedRequest.priority }
    public var context: RequestContext { wrappedRequest.context }
    public var redaction: Redaction? { wrappedRequest.redaction }
    public func status(of response: HTTPResponse) -> HTTPStatus {
        wrappedRequest.status(of: response)
    }
}

/// A group of related requests, usually an enum with one case per request.
///
/// ```swift
/// enum PostModule: Module {
///     case get(id: Int)
///     case create(post: Post, picture: URL)
///
///     var request: any Request {
///         switch self {
///         case .get(let id): GetPostRequest(id: id)
///         case .create(let post, let picture): CreatePostRequest(post: post, picture: picture)
///         }
///     }
/// }
/// ```
///
/// Because its requests have different types, a module's value is the ``HTTPResponse``. Decode it at the call site:
/// `try await endpoint.value(for: PostModule.get(id: 1)).decoded(to: Post.self)`. If all cases share one response type,
/// conform the enum to ``Request`` instead.
public protocol Module: Sendable {
    /// The request for this value, which can also be a multipart request or a download.
    var request: any Request { get }
}

/// A type-erased request whose value is the whole response.
///
/// Everything else comes from the wrapped request: parameters, files, endpoint, decoder and error converter. A response
/// outside 2xx fails with a ``ServerMessage``.
public struct AnyRequest: ForwardingRequest {
    /// The request to send.
    public let wrappedRequest: any Request

    /// Creates a request that wraps another one.
    ///
    /// - Parameter request: The request to send.
    public init(_ request: any Request) {
        wrappedRequest = request
    }

    /// A decoding that returns the response unchanged.
    ///
    /// The `Accept` field is the wrapped request's.
    public var responseDecoding: ResponseDecoding<HTTPResponse> {
        ResponseDecoding(accept: wrappedRequest.accept, readsBody: true) { response, _ in response }
    }
}

extension Request {
    fileprivate var accept: String { responseDecoding.accept }
}
