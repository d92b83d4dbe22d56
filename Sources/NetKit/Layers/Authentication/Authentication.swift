/// How an endpoint's requests prove who sends them.
///
/// It is asked for each request that goes to the endpoint's own origin, redirects there included, after the
/// interceptors: what it sees is what is sent, body and all, so that it can sign it. A request that has
/// an `Authorization` field already is left alone. It may be shared by several endpoints.
///
/// Both functions have defaults that do nothing. What they throw ends the call as
/// ``ErrorResponse/interceptor(_:)``; while they wait, the call can be cancelled and its deadline counts.
public protocol Authentication: Sendable {
    /// Adds the credential to a request that is about to be sent.
    ///
    /// - Parameter request: The request; change its header fields. ``EncodedRequest/body`` can be
    ///   opened and read any number of times.
    /// - Throws: What keeps the credential from being had; it ends the call.
    func authenticate(_ request: inout EncodedRequest) async throws

    /// Looks at a response, to find out whether the request is worth sending again.
    ///
    /// - Parameters:
    ///   - response: The response, whatever its status.
    ///   - request: The request as it was sent.
    /// - Returns: What to do. The request is sent again at most twice in a call, and not after a
    ///   ``AuthenticationRecovery/refreshed``. A live body is never sent again: a new credential is for later calls.
    /// - Throws: What keeps a new credential from being had; it ends the call.
    func recover(
        from response: HTTPResponse,
        to request: EncodedRequest
    ) async throws -> AuthenticationRecovery
}

extension Authentication {
    /// Adds nothing.
    public func authenticate(_ request: inout EncodedRequest) async throws {}

    /// Lets the response stand.
    public func recover(
        from response: HTTPResponse,
        to request: EncodedRequest
    ) async throws -> AuthenticationRecovery {
        .none
    }
}

/// What ``Authentication`` makes of a response.
public enum AuthenticationRecovery: Hashable, Sendable {
    /// The response stands.
    case none
    /// There has been a newer credential all along: send the request again with it.
    case newerCredential
    /// The credential was made anew for this response: send the request again, once.
    case refreshed
}
