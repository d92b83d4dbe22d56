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
/// `ErrorType`, ``Request/name``, ``Request/responseConverter`` and ``Request/responseDecoding`` aren't forwarded, so
/// declare them. Declare the wrapped request's own converter as `(any ResponseJSONConverter)?`: a wrapper reads one of
/// another type as nil.
public protocol ForwardingRequest: Request {
    /// The wrapped request.
    var wrappedRequest: any Request { get }
}

extension ForwardingRequest {
    public var path: String { wrappedRequest.path }

    // swift-format-ignore: NoLeadingUnderscores
    public var _wrappedRequest: (any Request)? { wrappedRequest }
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
/// Everything else comes from the wrapped request: parameters, files, endpoint, decoder, error converter, and the name in
/// logs, metrics and spans. A wrapped download writes its file, and its response has no body. A response outside 2xx fails with
/// a ``ServerMessage``.
public struct AnyRequest: ForwardingRequest {
    /// The request to send.
    public let wrappedRequest: any Request

    /// Creates a request that wraps another one.
    ///
    /// - Parameter request: The request to send.
    public init(_ request: any Request) { wrappedRequest = request }

    /// A decoding that returns the response unchanged.
    ///
    /// The `Accept` field is the wrapped request's.
    public var responseDecoding: ResponseDecoding<HTTPResponse> {
        ResponseDecoding(accept: wrappedRequest.accept, readsBody: true) { response, _ in response }
    }
}

extension Request {
    fileprivate var accept: String { responseDecoding.accept }

    /// The type whose name stands for the request in logs, metrics and spans.
    var namedType: any Request.Type {
        (self as? AnyRequest)?.wrappedRequest.namedType ?? type(of: self)
    }
}
