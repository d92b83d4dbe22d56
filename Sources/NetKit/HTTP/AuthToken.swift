import NetKitSupport

/// A credential that identifies the client.
public enum AuthToken: Hashable, Sendable {
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer(String)
    /// `Authorization: Basic …` (RFC 7617), in UTF-8.
    ///
    /// A user name with a colon can't be sent, nor can ASCII control characters in either part. Such a request is
    /// refused with `.invalidHeader(name: "Authorization")`.
    case basic(username: String, password: String)
    /// A complete value of the `Authorization` field.
    case custom(String)
    /// A separate header field, such as `X-Api-Key`.
    case header(name: HTTPHeaderName, value: String)

    /// Creates a credential that is sent in a separate header field.
    ///
    /// - Parameters:
    ///   - key: The name of the header field, such as `X-Api-Key`.
    ///   - token: The value of the header field.
    /// - Returns: A ``header(name:value:)`` credential.
    public static func custom(key: String, token: String) -> AuthToken {
        .header(name: HTTPHeaderName(key), value: token)
    }

    /// Parses the value of an `Authorization` field.
    ///
    /// - Parameter authorization: The value. The schemes `Bearer` and `Basic` are recognized in any case. Any other
    ///   value becomes ``custom(_:)``.
    init(_ authorization: String) {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        let credentials = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
        switch parts.first?.lowercased() {
        case "bearer" where !credentials.isEmpty:
            self = .bearer(credentials)
        case "basic":
            let pair = BasicCredentials.pair(in: credentials)
            self = pair.map { .basic(username: $0, password: $1) } ?? .custom(authorization)
        default:
            self = .custom(authorization)
        }
    }

    /// The header field that carries the credential.
    package var fieldName: HTTPHeaderName {
        if case .header(let name, _) = self { name } else { .authorization }
    }

    /// The value of the header field, or nil for a credential that can't be sent.
    package var fieldValue: String? {
        switch self {
        case .bearer(let token): "Bearer \(token)"
        case .custom(let value): value
        case .header(_, let value): value
        case .basic(let username, let password):
            BasicCredentials.text(username, password).map { "Basic \($0)" }
        }
    }
}

extension AuthToken: Concealed {
    /// The kind of credential, without its secret.
    package var shown: String {
        switch self {
        case .bearer: "bearer ‹redacted›"
        case .basic: "basic ‹redacted›"
        case .custom: "custom ‹redacted›"
        case .header(let name, _): "\(name) ‹redacted›"
        }
    }
}
