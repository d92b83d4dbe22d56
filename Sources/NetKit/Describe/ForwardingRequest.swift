import Foundation

/// A request that another one is the base of: every requirement is the base's, but for those that the type
/// witnesses itself.
///
/// A requirement that ``Request`` gains has to be forwarded here, and by ``DownloadRequest`` and ``AnyRequest``,
/// whose witnesses have to be public; a test sees to that.
protocol ForwardingRequest<Base>: Request where ErrorType == Base.ErrorType {
    associatedtype Base: Request

    var base: Base { get }
}

extension ForwardingRequest {
    var path: String { base.path }
    var method: HTTPMethod { base.method }
    var queryParams: [(String, String)] { base.queryParams }
    var queryItems: [QueryItem] { base.queryItems }
    var body: RequestBody? { base.body }
    var headers: HTTPHeaders { base.headers }
    var timeout: TimeInterval? { base.timeout }
    var authToken: AuthToken? { base.authToken }
    var isAuthenticated: Bool { base.isAuthenticated }
    var retryPolicy: RetryPolicy? { base.retryPolicy }
    var responseConverter: (any ResponseJSONConverter)? { base.responseConverter }
    var errorConverter: (any ResponseJSONConverter)? { base.errorConverter }
    var endpoint: Endpoint? { base.endpoint }
    var decoder: JSONDecoder? { base.decoder }
    var interceptors: [any Interceptor] { base.interceptors }
    var isCoalesced: Bool { base.isCoalesced }
    var priority: RequestPriority { base.priority }
    var context: RequestContext { base.context }
    var redaction: Redaction? { base.redaction }
}

extension ForwardingRequest where ResponseObjectType == Base.ResponseObjectType {
    var responseDecoding: ResponseDecoding<ResponseObjectType> { base.responseDecoding }
}
