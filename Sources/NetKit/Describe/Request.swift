public import Foundation

/// The usual constraint on a type that JSON responses decode to.
public typealias ResponseObject = Decodable & Sendable

/// A typed HTTP request: its path, method, body, response type and error type.
///
/// ```swift
/// final class LoginRequest: Request {
///     typealias ResponseObjectType = User
///     typealias ErrorType = APIError
///     let path = "login"
///     let method: HTTPMethod = .post
///     let body: RequestBody?
///
///     init(token: String) {
///         body = .params(["token": token])
///     }
/// }
/// ```
///
/// ```swift
/// LoginRequest(token: "t")
///     .execute()
///     .onSuccess { user in print(user.id) }
///     .onFail { error in print(error.message) }
/// ```
///
/// Final classes, structs and enums can conform. Only ``path`` has no default. A property that implements a requirement
/// must have exactly the requirement's type: `let body: RequestBody? = nil`. A request with a property of the same name
/// and another type isn't sent, and fails with ``InvalidRequest/Reason/mistypedProperty(name:type:expected:)``. Three are
/// used as they are: a ``timeout`` that is a `Duration`, a ``method`` that is a `String`, and a converter that isn't
/// Optional. A ``priority``, ``context`` or ``redaction`` of an unrelated type is the request's own, and ignored.
///
/// NetKit finds parameters such as ``Query`` by reflection. A `CustomReflectable` request must include them among the
/// children of its mirror, as `_name` for `name`. Parameters missing from the mirror aren't sent.
public protocol Request<ResponseObjectType, ErrorType>: _RequestMembers {
    /// The type of value that a 2xx response decodes to. Defaults to `Void`.
    ///
    /// NetKit doesn't use a generic parameter of this name: write a `typealias`.
    associatedtype ResponseObjectType: Sendable
    /// The error type that any other response decodes to.
    ///
    /// Defaults to ``ServerMessage``.
    associatedtype ErrorType: ServerError = ServerMessage
    /// What logs, events, metrics and spans call the requests of this type. Defaults to the type's name.
    ///
    /// One name for all requests of a type, so that it holds no value of a request, and a metric has few of them.
    static var name: String { get }
    /// The path below the endpoint's base URL, or an absolute URL.
    ///
    /// A leading slash makes no difference. The path can contain a query and placeholders such as `{id}` for ``Path``
    /// parameters. Percent-encoded triplets such as `%2F` are kept, and any other character that is invalid in a URL is
    /// encoded, `#` included. Dot segments never lead above the base URL, and `//host` is a path, not a host.
    ///
    /// An absolute URL begins with `https://` or `http://`. Its fragment isn't sent (RFC 9110, section 7.1). If its
    /// origin differs from the endpoint's, the endpoint's credentials aren't sent.
    var path: String { get }
    /// The HTTP method. Defaults to GET.
    var method: HTTPMethod { get }
    /// The query parameters, in sending order, after the base URL's query. Defaults to none.
    var queryParams: [(String, String)] { get }
    /// Query items that a name–value pair can't express: flags and pre-encoded items.
    ///
    /// They follow ``queryParams``. Defaults to none.
    var queryItems: [QueryItem] { get }
    /// The request body. Defaults to none. GET, HEAD, TRACE and CONNECT requests can't have one.
    var body: RequestBody? { get }
    /// Header fields that override the endpoint's. Defaults to none.
    var headers: HTTPHeaders { get }
    /// The idle timeout: the longest time without a byte sent or received, exact to the millisecond.
    ///
    /// Declare it as a `Duration`, or as a `TimeInterval?` in seconds:
    ///
    /// ```swift
    /// let timeout: Duration = .seconds(60)
    /// ```
    ///
    /// Defaults to nil, the endpoint's timeout. The least timeout is one millisecond.
    var timeout: TimeInterval? { get }
    /// The credential that identifies the client. Defaults to nil, the endpoint's credential.
    var authToken: AuthToken? { get }
    /// Whether the request carries the endpoint's credentials. Defaults to true.
    ///
    /// If false, the request is sent without ``Endpoint/authentication``, the user and password of the base URL, and the
    /// secret fields of ``Endpoint/headers``, such as its `authToken`. It still sends its own header fields,
    /// ``Endpoint/cookies``, and ``Endpoint/queryParams``.
    var isAuthenticated: Bool { get }
    /// A converter applied to the JSON of a 2xx response before decoding. Defaults to nil.
    var responseConverter: (any ResponseJSONConverter)? { get }
    /// A converter applied to the JSON of any other response before decoding. Defaults to nil.
    var errorConverter: (any ResponseJSONConverter)? { get }
    /// The endpoint that sends the request. Defaults to nil, which means ``Endpoint/default``.
    var endpoint: Endpoint? { get }
    /// The JSON decoder for the response. Defaults to nil, the endpoint's decoder.
    var decoder: JSONDecoder? { get }
    /// The request's interceptors, which run inside the endpoint's. Defaults to none.
    var interceptors: [any Interceptor] { get }
    /// Whether identical concurrent calls share one transfer. Defaults to false.
    ///
    /// Calls on one endpoint are identical if their request type, method, URL, header fields, cookies, credential,
    /// ``isAuthenticated``, ``cachePolicy``, ``priority``, idle timeout and retries match, and the endpoint's settings
    /// didn't change between them. Only GET and HEAD requests without a body are coalesced. Each call decodes the response itself, has its own deadline, and can be canceled separately. The
    /// transfer is canceled when its last call is. What interceptors change isn't compared: leave it false if they make
    /// different requests of equal ones, such as by ``context``.
    var isCoalesced: Bool { get }
    /// The request's retry policy. Defaults to nil, the endpoint's policy.
    ///
    /// Return `.never` for a request that does harm when repeated, such as a `PUT` that appends. This policy takes
    /// precedence over ``Endpoint/retryPolicy``, and ``RequestExecutionOperation/retryOnFail(_:)-(Int)`` takes
    /// precedence over both.
    var retryPolicy: RetryPolicy? { get }
    /// The way the request uses ``Endpoint/cache``. Defaults to ``CachePolicy/standard``.
    var cachePolicy: CachePolicy { get }
    /// The request's priority in the endpoint's queue. Defaults to `.normal`.
    var priority: RequestPriority { get }
    /// Values that the request passes to interceptors and observers. Defaults to an empty context.
    var context: RequestContext { get }
    /// Additional redaction for this request, on top of the endpoint's. Defaults to nil.
    ///
    /// Header fields named here count as marked sensitive, so a redirect to another origin drops them.
    var redaction: Redaction? { get }
    /// The decoding that turns a 2xx response into the value.
    ///
    /// The default follows the value's type: bytes for `Data`, text for `String`, nothing for `Void`, and JSON for any
    /// other `Decodable` type.
    var responseDecoding: ResponseDecoding<ResponseObjectType> { get }
    /// The status that the call's rules see: authentication, retries and decoding. Defaults to the response's own.
    ///
    /// For servers that answer 200 with a failure inside:
    ///
    /// ```swift
    /// func status(of response: HTTPResponse) -> HTTPStatus {
    ///     guard response.status == .ok, response.body.starts(with: Data("{\"errors\"".utf8)) else {
    ///         return response.status
    ///     }
    ///     return .unprocessableContent
    /// }
    /// ```
    ///
    /// The call behaves as if the server had sent that status: 401 starts the refresh of a token, 429 and 503 are
    /// retried, after the time of a `Retry-After` field if there is one, and any status that isn't 2xx fails with
    /// ``ErrorResponse/server(_:_:)``, whose response has it. The response isn't stored in ``Endpoint/cache`` then. A log
    /// has both statuses. A HAR has the one that was sent.
    ///
    /// Called once for each complete response from the server or an interceptor of scope
    /// ``InterceptorScope/exchange``, on an arbitrary thread, including redirects. It isn't called for streams, downloads,
    /// 304, and stored responses.
    ///
    /// - Parameter response: The response as received.
    /// - Returns: The status.
    func status(of response: HTTPResponse) -> HTTPStatus
}

// The defaults, which are the wrapped request's properties for a ``ForwardingRequest``.
extension Request {
    public static var name: String { String(describing: self) }
    public var method: HTTPMethod { _wrappedRequest?.ownMethod ?? .get }
    public var queryParams: [(String, String)] { _wrappedRequest?.queryParams ?? [] }
    public var queryItems: [QueryItem] { _wrappedRequest?.queryItems ?? [] }
    public var body: RequestBody? { _wrappedRequest?.body }
    public var headers: HTTPHeaders { _wrappedRequest?.headers ?? [:] }
    public var timeout: TimeInterval? { _wrappedRequest?.ownTimeout.map { $0 / .seconds(1) } }
    public var authToken: AuthToken? { _wrappedRequest?.authToken }
    public var isAuthenticated: Bool { _wrappedRequest?.sendsCredentials ?? true }
    public var responseConverter: (any ResponseJSONConverter)? { nil }
    public var errorConverter: (any ResponseJSONConverter)? { _wrappedRequest?.ownErrorConverter }
    public var endpoint: Endpoint? { _wrappedRequest?.endpoint }
    public var decoder: JSONDecoder? { _wrappedRequest?.decoder }
    public var interceptors: [any Interceptor] { _wrappedRequest?.interceptors ?? [] }
    public var isCoalesced: Bool { _wrappedRequest?.isCoalesced ?? false }
    public var retryPolicy: RetryPolicy? { _wrappedRequest?.retryPolicy }
    public var cachePolicy: CachePolicy { _wrappedRequest?.cachePolicy ?? .standard }
    public var priority: RequestPriority { _wrappedRequest?.priority ?? .normal }
    public var context: RequestContext { _wrappedRequest?.context ?? RequestContext() }
    public var redaction: Redaction? { _wrappedRequest?.redaction }
    public func status(of response: HTTPResponse) -> HTTPStatus {
        _wrappedRequest?.status(of: response) ?? response.status
    }

    // swift-format-ignore: NoLeadingUnderscores
    public var _wrappedRequest: (any Request)? { nil }
}

extension Request {
    /// Not available: says what a request without a default decoding needs.
    @available(
        *,
        unavailable,
        message:
            "the response type must be Decodable or Void, or the request must declare a responseDecoding. In a module isolated to the main actor, declare the response type 'nonisolated'."
    )
    public var responseDecoding: ResponseDecoding<ResponseObjectType> {
        ResponseDecoding { _, _ in throw CocoaError(.featureUnsupported) }
    }
}

extension Request where ResponseObjectType: Decodable {
    public var responseDecoding: ResponseDecoding<ResponseObjectType> { .automatic }
}

extension Request where ResponseObjectType == Void {
    public var responseDecoding: ResponseDecoding<ResponseObjectType> { .empty }
}
