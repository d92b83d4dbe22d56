/// A name and a password, sent along with every request (RFC 7617).
///
/// The server is not asked first whether it wants them. They are only encoded, not encrypted: whoever can read
/// the request can read them, so that they belong on `https`. Both are sent in UTF-8.
///
/// A name with a colon, and ASCII control characters in either, cannot be sent: the call ends with
/// ``InvalidRequest/Reason/invalidHeader(name:)`` for `Authorization`.
public struct BasicAuthentication: Authentication {
    private let token: AuthToken

    /// Makes the credential.
    ///
    /// - Parameters:
    ///   - username: The user's name, without a colon.
    ///   - password: The password.
    public init(username: String, password: String) {
        token = .basic(username: username, password: password)
    }

    /// Adds the credential.
    ///
    /// - Parameter request: The request that is about to be sent.
    /// - Throws: ``InvalidRequest`` for a name or a password that cannot be sent.
    public func authenticate(_ request: inout EncodedRequest) async throws {
        guard let value = token.fieldValue else {
            throw InvalidRequest(.invalidHeader(name: HTTPHeaderName.authorization.rawName))
        }
        request.headers[.authorization] = value
    }
}

extension BasicAuthentication: IdentifiedAuthentication {
    var identity: CredentialIdentity { .secret(token.fieldValue ?? "") }
}
