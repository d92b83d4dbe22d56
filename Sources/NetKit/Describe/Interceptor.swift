#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Goes around every attempt of a call: adapts the request, sends it, looks at the response.
///
/// Retries and decoding are outside of it, redirects and ``Authentication`` within. It may call `next` not at
/// all and answer itself, or more than once. It may wait; the call can be cancelled and its deadline
/// counts all the while. ``RequestContext/current`` has what the request tells about itself.
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
    /// Where the interceptor runs. Defaults to ``InterceptorScope/attempt``.
    var scope: InterceptorScope { get }

    /// Handles one attempt.
    ///
    /// - Parameters:
    ///   - request: The request so far. A body that is read while it is sent is not part of it, and
    ///     stays unless `httpBody` is set. A field that is secret stays so.
    ///   - next: Sends a request, through the interceptors within this one. It throws what keeps a
    ///     response from coming as ``ErrorResponse`` of ``ServerMessage``, its cases `.transport`,
    ///     `.timeout`, `.cancelled`, `.invalidRequest` and `.interceptor`.
    /// - Returns: The response, whatever its status.
    /// - Throws: Anything. What `next` threw is the call's failure, and is tried again as any other. So is a
    ///   ``TransportError``, and an error of another call that has no response. All else ends the call as
    ///   ``ErrorResponse/interceptor(_:)``.
    func intercept(
        _ request: URLRequest,
        next: @concurrent @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse
}

extension Interceptor {
    public var scope: InterceptorScope { .attempt }
}

/// Where an ``Interceptor`` runs.
public enum InterceptorScope: Hashable, Sendable {
    /// Around each attempt of a call: it sees the request as the call describes it, and the response behind redirects
    /// and ``Authentication``.
    case attempt
    /// Around each exchange with a server: it sees every request as it is sent, with its credential, and the response
    /// to it, redirects included.
    ///
    /// Signatures and traces belong here. The interceptor can't change the origin of a request. The time in the queue of the endpoint counts to the exchange.
    case exchange
}
