public import Foundation

/// A group of requests under one name, most often an enum with a case for each.
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
/// As the requests have types of their own, a module's value is the ``HTTPResponse``, to be decoded where
/// it is used: `try await endpoint.value(for: PostModule.get(id: 1)).decoded(to: Post.self)`. Where
/// the type is to be known beforehand, let an enum conform to ``Request`` itself.
public protocol Module: Sendable {
    /// The request that this value stands for; a multipart one or a download as well.
    var request: any Request { get }
}

/// A request of any type; its value is the whole response.
///
/// Everything else is the wrapped request's: parameters and files, endpoint, decoder and converter of errors.
/// What is not 2xx is an error with a ``ServerMessage``.
public struct AnyRequest: Request {
    public typealias ResponseObjectType = HTTPResponse
    public typealias ErrorType = ServerMessage

    /// The request that is sent.
    public let base: any Request

    /// Wraps a request.
    ///
    /// - Parameter base: The request that is sent.
    public init(_ base: any Request) {
        self.base = base
    }

    public var path: String { base.path }
    public var method: HTTPMethod { base.method }
    public var queryParams: [(String, String)] { base.queryParams }
    public var queryItems: [QueryItem] { base.queryItems }
    public var body: RequestBody? { base.body }
    public var headers: HTTPHeaders { base.headers }
    public var timeout: TimeInterval? { base.timeout }
    public var authToken: AuthToken? { base.authToken }
    public var isAuthenticated: Bool { base.isAuthenticated }
    public var retryPolicy: RetryPolicy? { base.retryPolicy }
    public var errorConverter: (any ResponseJSONConverter)? { base.errorConverter }
    public var endpoint: Endpoint? { base.endpoint }
    public var decoder: JSONDecoder? { base.decoder }
    public var interceptors: [any Interceptor] { base.interceptors }
    public var isCoalesced: Bool { base.isCoalesced }
    public var priority: RequestPriority { base.priority }
    public var context: RequestContext { base.context }
    public var redaction: Redaction? { base.redaction }
    /// The response as it is; the Accept field is the wrapped request's.
    public var responseDecoding: ResponseDecoding<HTTPResponse> {
        ResponseDecoding(accept: base.accept, readsBody: true) { response, _ in response }
    }
}

extension AnyRequest: RequestWrapping {
    package var wrappedRequest: any Request { base }
}

extension Request {
    fileprivate var accept: String { responseDecoding.accept }
}
