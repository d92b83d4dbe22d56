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
