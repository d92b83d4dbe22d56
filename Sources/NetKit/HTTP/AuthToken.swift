import Foundation

/// What a client identifies itself with.
public enum AuthToken: Hashable, Sendable {
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer(String)
    /// `Authorization: Basic …` (RFC 7617), in UTF-8.
    ///
    /// A user name with a colon, and ASCII control characters in either, cannot be sent; such a request is
    /// refused as `.invalidHeader(name: "Authorization")`.
    case basic(username: String, password: String)
    /// The whole value of `Authorization`.
    case custom(String)
    /// A field of its own, such as `X-Api-Key`.
    case header(name: HTTPHeaderName, value: String)

    /// A field of its own.
    ///
    /// - Parameters:
    ///   - key: The field's name, such as `X-Api-Key`.
    ///   - token: The field's value.
    /// - Returns: ``header(name:value:)``.
    public static func custom(key: String, token: String) -> AuthToken {
        .header(name: HTTPHeaderName(key), value: token)
    }

    /// Reads the value of an `Authorization` field.
    ///
    /// - Parameter authorization: The value. Bearer and Basic are told by their schemes, whatever
    ///   their case; anything else is ``custom(_:)``.
    init(_ authorization: String) {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        let credentials = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
        switch parts.first?.lowercased() {
        case "bearer" where !credentials.isEmpty:
            self = .bearer(credentials)
        case "basic":
            self = Self.basic(decoding: credentials) ?? .custom(authorization)
        default:
            self = .custom(authorization)
        }
    }

    /// The field that carries the token.
    package var fieldName: HTTPHeaderName {
        if case .header(let name, _) = self { name } else { .authorization }
    }

    /// The field's value; nil for a token that cannot be sent.
    package var fieldValue: String? {
        switch self {
        case .bearer(let token): "Bearer \(token)"
        case .custom(let value): value
        case .header(_, let value): value
        case .basic(let username, let password):
            Self.isSendable(username, password)
                ? "Basic \(Data("\(username):\(password)".utf8).base64EncodedString())" : nil
        }
    }

    private static func isSendable(_ username: String, _ password: String) -> Bool {
        !username.utf8.contains(UInt8(ascii: ":"))
            && (username + password).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func basic(decoding credentials: String) -> AuthToken? {
        guard let data = Data(base64Encoded: credentials),
            let text = String(data: data, encoding: .utf8),
            // By bytes: to `String` a colon with a combining mark is a character of its own.
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return .basic(
            username: String(text[..<colon]),
            password: String(text[text.utf8.index(after: colon)...])
        )
    }
}

extension AuthToken: Concealed {
    /// The kind of token, without any of it.
    public var description: String {
        switch self {
        case .bearer: "bearer ‹redacted›"
        case .basic: "basic ‹redacted›"
        case .custom: "custom ‹redacted›"
        case .header(let name, _): "\(name) ‹redacted›"
        }
    }
}
