import Foundation

/// The credentials of Basic authentication (RFC 7617), in UTF-8.
package enum BasicCredentials {
    /// The credentials as base64, or nil for a user name with a colon, or control characters.
    package static func text(_ username: String, _ password: String) -> String? {
        guard !username.utf8.contains(UInt8(ascii: ":")),
            (username + password).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return Data("\(username):\(password)".utf8).base64EncodedString()
    }

    /// The user name and the password of credentials, or nil for others.
    package static func pair(in credentials: String) -> (username: String, password: String)? {
        guard let data = Data(base64Encoded: credentials),
            let text = String(data: data, encoding: .utf8),
            // By bytes, because in a `String` a colon with a combining mark is a different character.
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return (String(text[..<colon]), String(text[text.utf8.index(after: colon)...]))
    }
}
