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
