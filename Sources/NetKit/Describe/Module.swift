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
public struct AnyRequest: ForwardingRequest {
    /// The request that is sent.
    public let wrappedRequest: any Request

    /// Wraps a request.
    ///
    /// - Parameter request: The request that is sent.
    public init(_ request: any Request) {
        wrappedRequest = request
    }

    /// The response as it is; the Accept field is the wrapped request's.
    public var responseDecoding: ResponseDecoding<HTTPResponse> {
        ResponseDecoding(accept: wrappedRequest.accept, readsBody: true) { response, _ in response }
    }
}

extension Request {
    fileprivate var accept: String { responseDecoding.accept }
}
