package import Foundation

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
