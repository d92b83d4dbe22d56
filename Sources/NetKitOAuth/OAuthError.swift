public import Foundation
public import NetKit

/// An error of an authorization server (RFC 6749, section 5.2, and RFC 8628, section 3.5).
///
/// A call that waited for the token fails with ``ErrorResponse/interceptor(_:)``, whose error is an
/// `ErrorResponse<OAuthError>`:
///
/// ```swift
/// if case .interceptor(let refresh as ErrorResponse<OAuthError>) = error,
///     refresh.serverError?.code == .invalidGrant
/// {
///     print("sign in again")
/// }
/// ```
public struct OAuthError: ServerError, Error, Hashable {
    /// An error code, such as `invalid_grant`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as the server sent it.
        public let rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The grant or the refresh token is invalid, expired or revoked: the user must sign in again.
        public static let invalidGrant = Code(rawValue: "invalid_grant")
        /// The client is unknown, or its secret is wrong.
        public static let invalidClient = Code(rawValue: "invalid_client")
        /// The user or the server denied the request.
        public static let accessDenied = Code(rawValue: "access_denied")
        /// The device code expired before the user entered it.
        public static let expiredToken = Code(rawValue: "expired_token")

        static let authorizationPending = Code(rawValue: "authorization_pending")
        static let slowDown = Code(rawValue: "slow_down")
    }

    /// The error code.
    public let code: Code
    /// The server's explanation for developers, or nil if there is none.
    public let details: String?
    /// The address of a page about the error, or nil if there is none.
    public let page: URL?

    /// The explanation, or else the code.
    public var message: String { details ?? code.rawValue }
}

extension OAuthError: Decodable {
    private enum Keys: String, CodingKey {
        case error
        case details = "error_description"
        case page = "error_uri"
    }

    /// Decodes the JSON of an error response.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if there is no `error`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Keys.self)
        code = Code(rawValue: try members.decode(String.self, forKey: .error))
        details = try? members.decodeIfPresent(String.self, forKey: .details)
        let address = try? members.decodeIfPresent(String.self, forKey: .page)
        page = address.flatMap { URL(string: $0) }
    }
}
