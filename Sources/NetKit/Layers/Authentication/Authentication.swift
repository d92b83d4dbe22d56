/// A credential for an endpoint's requests that can be refreshed.
///
/// It adds the credential to every request to the endpoint's own origin, including redirects and retries, and gets a new
/// one when the server rejects it. It isn't asked for requests to other origins, nor for a request that already has an
/// `Authorization` field. It runs after the interceptors, except for those of scope ``InterceptorScope/exchange``.
/// Several endpoints can share one.
///
/// To sign requests, use an ``Interceptor`` of scope ``InterceptorScope/exchange``. It sees each request after this
/// credential and the cookies were added, at every origin.
///
/// Both methods have default implementations that do nothing. An error that they throw ends the call with
/// ``ErrorResponse/interceptor(_:)``. While they wait, the call can be canceled and its deadline applies.
public protocol Authentication: Sendable {
    /// Adds the credential to a request that is about to be sent.
    ///
    /// - Parameter request: The request, whose header fields you can change. You can open and read
    ///   ``EncodedRequest/body`` any number of times.
    /// - Throws: An error if the credential isn't available. It ends the call.
    func authenticate(_ request: inout EncodedRequest) async throws

    /// Inspects a response and decides whether to resend the request.
    ///
    /// - Parameters:
    ///   - response: The response, whatever its status code. After the last resend, only a success is inspected.
    ///   - request: The request as sent.
    /// - Returns: The action to take. A call resends its request at most twice, and not after
    ///   ``AuthenticationRecovery/refreshed``. A live body isn't resent, so a new credential only helps later calls.
    /// - Throws: An error if a new credential isn't available. It ends the call.
    func recover(
        from response: HTTPResponse,
        to request: EncodedRequest
    ) async throws -> AuthenticationRecovery
}

extension Authentication {
    /// Adds nothing.
    public func authenticate(_ request: inout EncodedRequest) async throws {}

    /// Accepts the response.
    public func recover(
        from response: HTTPResponse,
        to request: EncodedRequest
    ) async throws -> AuthenticationRecovery {
        .none
    }
}

/// The decision of an ``Authentication`` about a response.
public enum AuthenticationRecovery: Hashable, Sendable {
    /// Accept the response.
    case none
    /// A newer credential already exists, so resend the request with it.
    case newerCredential
    /// The credential was refreshed for this response, so resend the request once.
    case refreshed
}
