package import Foundation

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

/// The fields `Repr-Digest` and `Content-Digest` (RFC 9530).
package enum DigestField {
    /// Parses one digest of a field such as `sha-256=:base64:, sha-512=:base64:`.
    ///
    /// The field is a dictionary of byte sequences (RFC 9651).
    package static func digest(_ algorithm: String, in field: String?) -> Data? {
        guard let field else { return nil }
        for member in field.split(separator: ",") {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2,
                parts[0].trimmingCharacters(in: .whitespaces).lowercased() == algorithm
            else { continue }
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            guard value.hasPrefix(":"), let end = value.dropFirst().firstIndex(of: ":") else {
                return nil
            }
            return Data(base64Encoded: String(value[value.index(after: value.startIndex)..<end]))
        }
        return nil
    }
}

/// The `traceparent` field of W3C Trace Context, level 1.
package enum TraceParent {
    /// Returns the field of a new span.
    ///
    /// - Parameter parent: The field of the trace to join. Nil or an invalid one begins a new trace.
    /// - Returns: The field.
    package static func child(of parent: String?) -> String {
        let (trace, flags) = parent.flatMap { self.trace($0) } ?? (digits(16), "01")
        return "00-\(trace)-\(digits(8))-\(flags)"
    }

    /// Parses the trace ID and flags of a `traceparent`.
    ///
    /// Returns nil if it is invalid.
    ///
    /// For an unknown version, only the known parts are read (section 3.3.2).
    private static func trace(_ parent: String) -> (id: String, flags: String)? {
        let parts = parent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            zip(parts, [2, 32, 16, 2]).allSatisfy({ isHexadecimal($0, count: $1) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }),
            let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        return (String(parts[1]), flags & 1 == 1 ? "01" : "00")
    }

    private static func isHexadecimal(_ text: Substring, count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Returns random bytes in hexadecimal, not all 0.
    private static func digits(_ count: Int) -> String {
        var bytes: [UInt8]
        repeat { bytes = .random(count) } while bytes.allSatisfy { $0 == 0 }
        return bytes.hexadecimal
    }
}
