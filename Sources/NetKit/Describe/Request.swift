public import Foundation

/// What a JSON response usually decodes to.
public typealias ResponseObject = Decodable & Sendable

/// One thing to ask a server, described as a type: where, how, and what comes back.
///
/// ```swift
/// final class LoginRequest: Request {
///     typealias ResponseObjectType = User
///     typealias ErrorType = AuthError
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
/// Final classes, structs and enums may conform. Only ``path`` has no default. A property that witnesses a
/// requirement needs the requirement's exact type: `let timeout: TimeInterval? = 60`.
///
/// Parameters such as ``Query`` are found by reflection. A request that is `CustomReflectable` gives
/// them, `_name` for `name`, among the children of its mirror; those that it leaves out are not sent.
public protocol Request<ResponseObjectType, ErrorType>: Sendable {
    /// What a 2xx response becomes.
    associatedtype ResponseObjectType: Sendable
    /// What any other response becomes. Defaults to ``ServerMessage``.
    associatedtype ErrorType: ServerError = ServerMessage
    /// The path below the endpoint's base URL, with or without a slash in front; or a whole URL.
    ///
    /// It may have a query of its own, and placeholders such as `{id}` for ``Path`` parameters; a
    /// fragment is left out. Triplets such as `%2F` stay as they are, and everything else that may
    /// not stand in a URL is encoded. Dot segments never lead above the base URL, and `//host` is a
    /// path, not a host. A whole URL begins with `https://` or `http://`; elsewhere than on the
    /// endpoint's own origin, the endpoint's credentials do not go along.
    var path: String { get }
    /// The method. Defaults to GET.
    var method: HTTPMethod { get }
    /// The query in the order in which it is sent, behind that of the base URL. Defaults to none.
    var queryParams: [(String, String)] { get }
    /// Items of the query that a name and a value do not say, behind ``queryParams``: flags and what is
    /// encoded already.
    ///
    /// None by default.
    var queryItems: [QueryItem] { get }
    /// The content. Defaults to none. GET, HEAD and TRACE have none.
    var body: RequestBody? { get }
    /// Fields that go over those of the endpoint. Defaults to none.
    var headers: HTTPHeaders { get }
    /// The longest time in seconds without a byte sent or received; nil, the default, is the
    /// endpoint's.
    var timeout: TimeInterval? { get }
    /// What the client identifies itself with; nil, the default, is the endpoint's.
    var authToken: AuthToken? { get }
    /// Whether the endpoint's credentials go along. Defaults to true.
    ///
    /// If false, the request is sent without ``Endpoint/authentication``, without the endpoint's `authToken`, and
    /// without those of its header fields that are marked sensitive. The request's own fields go along.
    var isAuthenticated: Bool { get }
    /// Changes the JSON of a 2xx response before it is decoded. Defaults to none.
    var responseConverter: (any ResponseJSONConverter)? { get }
    /// Changes the JSON of any other response before it is decoded. Defaults to none.
    var errorConverter: (any ResponseJSONConverter)? { get }
    /// Where the request goes; nil, the default, is ``Endpoint/default``.
    var endpoint: Endpoint? { get }
    /// Decodes the response; nil, the default, is the endpoint's.
    var decoder: JSONDecoder? { get }
    /// What goes around each attempt of this request, within the endpoint's. Defaults to none.
    var interceptors: [any Interceptor] { get }
    /// Whether calls that ask for the same at the same time share one transfer. Defaults to false.
    ///
    /// Requests are the same if type, method, URL and header fields are, on one endpoint; GET and HEAD alone. Each
    /// call decodes for itself and can be cancelled for itself; the transfer ends with the last of them.
    var isCoalesced: Bool { get }
    /// Which failures are retried, how often and after what delay; nil, the default, is the endpoint's policy.
    ///
    /// A type whose repetition does harm says `.never`: a `PUT` that appends, for one. It takes precedence over
    /// ``Endpoint/retryPolicy``, and ``RequestExecutionOperation/retryOnFail(_:)-(Int)`` over both.
    var retryPolicy: RetryPolicy? { get }
    /// How the request uses ``Endpoint/cache``. Defaults to ``CachePolicy/standard``.
    var cachePolicy: CachePolicy { get }
    /// Which of several requests that wait for a place is sent first. Defaults to `.normal`.
    var priority: RequestPriority { get }
    /// What the request tells interceptors about itself. Defaults to nothing.
    var context: RequestContext { get }
    /// What is shown nowhere of this request, besides what the endpoint hides. Defaults to nothing more.
    ///
    /// Header fields that it names count as marked sensitive: they do not follow a redirect to another origin either.
    var redaction: Redaction? { get }
    /// How a 2xx response becomes the value. Defaults to what the type suggests: bytes for `Data`, text
    /// for `String`, nothing for `Void`, JSON for all else that is `Decodable`.
    var responseDecoding: ResponseDecoding<ResponseObjectType> { get }
}

extension Request {
    public var method: HTTPMethod { .get }
    public var queryParams: [(String, String)] { [] }
    public var cachePolicy: CachePolicy { .standard }
    /// No items.
    public var queryItems: [QueryItem] { [] }
    public var body: RequestBody? { nil }
    public var headers: HTTPHeaders { [:] }
    public var timeout: TimeInterval? { nil }
    public var authToken: AuthToken? { nil }
    /// True.
    public var isAuthenticated: Bool { true }
    public var responseConverter: (any ResponseJSONConverter)? { nil }
    public var errorConverter: (any ResponseJSONConverter)? { nil }
    public var endpoint: Endpoint? { nil }
    public var decoder: JSONDecoder? { nil }
    /// None.
    public var interceptors: [any Interceptor] { [] }
    /// False.
    public var isCoalesced: Bool { false }
    /// Nil: the endpoint's policy.
    public var retryPolicy: RetryPolicy? { nil }
    /// Normal.
    public var priority: RequestPriority { .normal }
    /// An empty context.
    public var context: RequestContext { RequestContext() }
    /// Nothing more.
    public var redaction: Redaction? { nil }
}

extension Request where ResponseObjectType: Decodable {
    public var responseDecoding: ResponseDecoding<ResponseObjectType> { .automatic }
}

extension Request where ResponseObjectType == Data {
    public var responseDecoding: ResponseDecoding<ResponseObjectType> { .data }
}

extension Request where ResponseObjectType == String {
    public var responseDecoding: ResponseDecoding<ResponseObjectType> { .text }
}

extension Request where ResponseObjectType == Void {
    public var responseDecoding: ResponseDecoding<ResponseObjectType> { .empty }
}
