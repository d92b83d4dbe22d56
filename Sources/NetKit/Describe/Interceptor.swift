package import NetKitSupport

/// A type that can change, send, answer or observe the requests of a call.
///
/// With the default scope, an interceptor wraps each attempt. Retries and decoding happen outside it, and redirects and
/// ``Authentication`` inside it. It can call `next` once, several times, or not at all and return a response itself. What
/// `next` is still sending when the interceptor returns is canceled. It can suspend, but the call can be canceled and its
/// deadline keeps running meanwhile. ``RequestContext/current`` contains the request's context.
///
/// ```swift
/// struct Timing: Interceptor {
///     func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
///         let start = ContinuousClock.now
///         defer { print(request.url.path, ContinuousClock.now - start) }
///         return try await next(request)
///     }
/// }
/// ```
public protocol Interceptor: Sendable {
    /// The remaining interceptors and the rest of the way to the server.
    typealias Next = InterceptorNext

    /// The scope in which the interceptor runs. Defaults to ``InterceptorScope/attempt``.
    var scope: InterceptorScope { get }

    /// Handles one call, one attempt or one exchange, as the scope says.
    ///
    /// - Parameters:
    ///   - request: The request so far. To change it, copy it to a variable. You can open and read its
    ///     ``EncodedRequest/body`` any number of times, unless it is a live sequence.
    ///   - next: Sends a request through the remaining interceptors, to the server.
    /// - Returns: The response, whatever its status. To answer without sending, create an
    ///   ``HTTPResponse/init(to:status:headers:body:)``.
    /// - Throws: Any error. An error from `next`, a ``TransportError``, or another call's error without a response
    ///   fails the call like any failure, and can be retried. Every other error ends the call as
    ///   ``ErrorResponse/interceptor(_:)``.
    func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse
}

extension Interceptor {
    public var scope: InterceptorScope { .attempt }
}

/// The remaining interceptors and the rest of the way to the server: `try await next(request)`.
///
/// The same request passes through unchanged. Another one, changed or new, is validated as a ``Request`` is:
///
/// - The URL needs http or https and a host, and in the scope ``InterceptorScope/exchange`` the same origin as before.
/// - The method must be a token, and allow the body.
/// - The header fields must be sendable. `Content-Length` and `Transfer-Encoding` are ignored, because the transport
///   sets them. Fields marked sensitive stay marked.
/// - The redaction and ``Request/isAuthenticated`` of the call still apply.
public struct InterceptorNext: Sendable {
    /// Sends a request, and notes what arrived.
    typealias Send =
        @concurrent @Sendable (EncodedRequest, Locked<SendNote>?) async throws -> HTTPResponse

    private let send: Send

    init(_ send: @escaping Send) { self.send = send }

    /// Sends a request through the remaining interceptors, to the server.
    ///
    /// Canceling the task that awaits the response ends what was sent, and nothing else of the call: a task of the
    /// interceptor's own can be limited in time, or race another one. A stream isn't sent again once its response has
    /// begun.
    ///
    /// - Parameter request: The request to send: the same, a changed copy, or a new one.
    /// - Returns: The response, whatever its status.
    /// - Throws: An ``ErrorResponse`` of ``ServerMessage`` if no response arrives: `.transport`, `.timeout`,
    ///   `.cancelled` or `.interceptor`, and `.invalidRequest` if `request` isn't valid. An error of a remaining
    ///   interceptor arrives as it was thrown.
    public func callAsFunction(_ request: EncodedRequest) async throws -> HTTPResponse {
        try await send(request, nil)
    }

    /// Sends a request as ``callAsFunction(_:)`` does, and notes what arrived, also before a failure.
    @_spi(Adapters) public func send(
        _ request: EncodedRequest,
        notingIn note: inout SendNote
    ) async throws -> HTTPResponse {
        let noted = Locked(SendNote())
        defer { note = noted.withLock { $0 } }
        return try await send(request, noted)
    }
}

/// What arrived of the last response to what an interceptor sent, even if the rest of it failed.
@_spi(Adapters) public struct SendNote: Sendable {
    /// The status code, or nil if no head arrived.
    public internal(set) var status: HTTPStatus?
    /// What the transport knows of the connection.
    public internal(set) var connection: ConnectionFacts?
    /// Whether the response goes to a reader, who may leave at any time.
    public internal(set) var isStream = false
    /// Whether the host failed, or nil if nothing that was sent shows it.
    var hasFailedHost: Bool?

    /// Creates an empty note.
    public init() {}
}

/// The part of a call that an ``Interceptor`` wraps.
public enum InterceptorScope: Hashable, Sendable {
    /// The whole call, with its retries.
    ///
    /// The interceptor sees the request as the call describes it, and the response or failure that ends the call.
    /// Decoding is outside of this scope. Calling `next` again, with the same request or a changed one, sends it with
    /// as many retries as the first. All sends count in ``Response/attempts`` and ``Response/history``. If NetKit adds an
    /// `Idempotency-Key`, it is the same for all. Canceling ends the call at once, even if the interceptor hasn't returned.
    case call
    /// Each attempt of a call.
    ///
    /// The interceptor sees the request as the call describes it, and the response after redirects and
    /// ``Authentication``.
    case attempt
    /// Each exchange with a server.
    ///
    /// This is the place to sign requests and to trace them. The interceptor sees every request as it is sent, with its
    /// credential and its body, and the response to it. This includes retries, resends after authentication, and
    /// redirects, even to other origins. It can't change the origin of a request. The time that a request spends in the
    /// endpoint's queue counts toward the exchange.
    case exchange
}

/// A collection of typed values that a request passes to interceptors and observers.
///
/// The values aren't sent.
///
/// ```swift
/// enum Feature: RequestContextKey { typealias Value = String }
///
/// struct SearchRequest: Request {
///     typealias ResponseObjectType = [String]
///     let path = "search"
///     var context: RequestContext {
///         var context = RequestContext()
///         context[Feature.self] = "search"
///         return context
///     }
/// }
/// ```
public struct RequestContext: Sendable {
    /// The context of the current call, inside an interceptor.
    ///
    /// Empty everywhere else.
    public static var current: RequestContext { ofTask }

    @TaskLocal static var ofTask = RequestContext()

    /// The number of the current attempt, starting at 1.
    public internal(set) var attempt = 1
    /// The ``Request/name`` of the call's request, or an empty text without a call.
    public var requestName: String { requestType?.name ?? "" }
    /// The request's path with `{name}` for each placeholder, such as `users/{id}`.
    ///
    /// Nil without placeholders before the query, and for a request to another URL, such as after a redirect.
    public internal(set) var pathTemplate: String?
    /// The type of the call's request.
    var requestType: (any Request.Type)?
    /// The origin of the endpoint's base URL, or nil without an endpoint.
    package internal(set) var home: Origin?
    /// The endpoint's clock.
    var clock = DeadlineClock.shared
    /// Whether the call sends nothing, because only the cache may answer it.
    var isOnlyIfCached = false
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Creates an empty context.
    public init() {}

    /// The value for a key, or nil if there is none.
    ///
    /// - Parameter key: The type of the key.
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value? {
        get { values[ObjectIdentifier(key)] as? Key.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// A key for a value in ``RequestContext``, usually an empty enum.
public protocol RequestContextKey {
    /// The type of the value.
    associatedtype Value: Sendable
}
