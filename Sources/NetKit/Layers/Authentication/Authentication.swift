package import NetKitSupport

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
/// ```swift
/// actor SessionKey: Authentication {
///     private let login: Endpoint
///     private var key: String?
///
///     init(login: Endpoint) { self.login = login }
///
///     func authenticate(_ request: inout EncodedRequest) async throws {
///         if let key { request.headers.set("X-Session", to: key, isSensitive: true) }
///     }
///
///     func recover(
///         from response: HTTPResponse,
///         to request: EncodedRequest
///     ) async throws -> AuthenticationRecovery {
///         guard response.status == .unauthorized else { return .none }
///         guard request.headers["X-Session"] == key else { return .newerCredential }
///         let session: [String: String] = try await login.post("sessions")
///         key = session["key"]
///         return .refreshed
///     }
/// }
/// ```
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

/// Distinguishes the users of an endpoint without revealing their credentials.
package enum CredentialIdentity: Hashable, Sendable {
    /// A unique number.
    case id(ProcessUniqueID)
    /// A secret, which must only be used in a digest.
    case secret(String)
}

/// An authentication that identifies the user of its credential.
///
/// Any other authentication gets a new identity when it is set on an endpoint.
package protocol IdentifiedAuthentication: Authentication {
    /// The identity, which stays the same for a user across refreshes.
    var identity: CredentialIdentity { get }
}

/// A user name and a password for Basic authentication (RFC 7617).
///
/// The credential is sent with every request, without waiting for a challenge. It is encoded but not encrypted, so use
/// it only over `https`. Both parts are sent in UTF-8.
///
/// A user name with a colon, or an ASCII control character in either part, can't be sent. The call then fails with
/// ``InvalidRequest/Reason/invalidHeader(name:)`` for `Authorization`.
public struct BasicAuthentication: Authentication {
    private let token: AuthToken

    /// Creates the credential.
    ///
    /// - Parameters:
    ///   - username: The user name, without a colon.
    ///   - password: The password.
    public init(username: String, password: String) {
        token = .basic(username: username, password: password)
    }

    /// Adds the credential.
    ///
    /// - Parameter request: The request that is about to be sent.
    /// - Throws: ``InvalidRequest`` if the user name or password can't be sent.
    public func authenticate(_ request: inout EncodedRequest) async throws {
        guard let value = token.fieldValue else {
            throw InvalidRequest(.invalidHeader(name: HTTPHeaderName.authorization.rawName))
        }
        request.headers[.authorization] = value
    }
}

extension BasicAuthentication: IdentifiedAuthentication {
    package var identity: CredentialIdentity { .secret(token.fieldValue ?? "") }
}
