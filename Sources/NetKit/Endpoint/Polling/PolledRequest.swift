import Foundation

/// A request whose response may be a 202 instead of the value; it is given as it is.
struct PolledRequest<Base: Request>: Request, RequestWrapping {
    typealias ResponseObjectType = HTTPResponse
    typealias ErrorType = Base.ErrorType

    let base: Base

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
    var errorConverter: (any ResponseJSONConverter)? { base.errorConverter }
    var endpoint: Endpoint? { base.endpoint }
    var decoder: JSONDecoder? { base.decoder }
    var interceptors: [any Interceptor] { base.interceptors }
    var context: RequestContext { base.context }
    var redaction: Redaction? { base.redaction }
    /// The response; the Accept field is the base's.
    var responseDecoding: ResponseDecoding<HTTPResponse> {
        ResponseDecoding(accept: base.responseDecoding.accept, readsBody: true) { response, _ in
            response
        }
    }
    var wrappedRequest: any Request { base }
}
