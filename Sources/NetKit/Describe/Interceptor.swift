#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// A type that can change, send, answer or observe the requests of a call.
///
/// With the default scope, an interceptor wraps each attempt. Retries and decoding happen outside it, and redirects and
/// ``Authentication`` inside it. It can call `next` once, several times, or not at all and return a response itself. It
/// can suspend, but the call can be canceled and its deadline keeps running meanwhile. ``RequestContext/current``
/// contains the request's context.
///
/// ```swift
/// struct Timing: Interceptor {
///     func intercept(
///         _ request: URLRequest,
///         next: @concurrent @Sendable (URLRequest) async throws -> HTTPResponse
///     ) async throws -> HTTPResponse {
///         let start = ContinuousClock.now
///         defer { print(request.url?.path ?? "", ContinuousClock.now - start) }
///         return try await next(request)
///     }
/// }
/// ```
public protocol Interceptor: Sendable {
    /// The scope in which the interceptor runs. Defaults to ``InterceptorScope/attempt``.
    var scope: InterceptorScope { get }

    /// Handles one attempt, or one exchange if that is the scope.
    ///
    /// - Parameters:
    ///   - request: The request so far. A streamed body isn't part of it, and is kept unless you set `httpBody`. Header
    ///     fields marked sensitive stay marked.
    ///   - next: A function that sends a request through the remaining interceptors. If no response arrives, it throws
    ///     an ``ErrorResponse`` of ``ServerMessage``: `.transport`, `.timeout`, `.cancelled`, `.invalidRequest` or
    ///     `.interceptor`.
    /// - Returns: The response, whatever its status.
    /// - Throws: Any error. An error from `next`, a ``TransportError``, or another call's error without a response
    ///   fails the call like any failure, and can be retried. Every other error ends the call as
    ///   ``ErrorResponse/interceptor(_:)``.
    func intercept(
        _ request: URLRequest,
        next: @concurrent @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse
}

extension Interceptor {
    public var scope: InterceptorScope { .attempt }
}

/// The part of a call that an ``Interceptor`` wraps.
public enum InterceptorScope: Hashable, Sendable {
    /// The whole call, with its retries.
    ///
    /// The interceptor sees the request as the call describes it, and the response or failure that ends the call.
    /// Decoding is outside of this scope. Canceling ends the call at once, even if the interceptor hasn't returned.
    case call
    /// Each attempt of a call.
    ///
    /// The interceptor sees the request as the call describes it, and the response after redirects and
    /// ``Authentication``.
    case attempt
    /// Each exchange with a server.
    ///
    /// The interceptor sees every request as it is sent, with its credential, and the response to it, redirects
    /// included. Use this scope for signing and tracing. The interceptor can't change the origin of a request. The time
    /// that a request spends in the endpoint's queue counts toward the exchange.
    case exchange
}
