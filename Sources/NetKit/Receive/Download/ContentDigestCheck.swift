import Foundation

extension ContentDigest {
    /// The value of `Want-Repr-Digest`, or nil if the expected digest is already known.
    var wantedField: String? { expected == nil ? "\(algorithm)=10" : nil }

    /// Compares the digest of the received bytes with the expected digest.
    ///
    /// - Parameters:
    ///   - part: The file with the received bytes.
    ///   - path: The path to report in errors.
    ///   - head: The response's head, which carries the digest if the caller gave none.
    /// - Throws: ``DownloadFailure`` if the digest is missing, unreadable, or different.
    func check(
        _ part: URL,
        named path: String,
        against head: ResponseHead
    ) throws(DownloadFailure) {
        guard let expected = expected ?? Self.digest(algorithm, in: head.headers[.reprDigest])
        else { throw DownloadFailure(.digestMissing, path) }
        guard case .success(let digest) = Result(catching: { try compute(part) }) else {
            throw DownloadFailure(.digestUnreadable, path)
        }
        guard digest == expected else { throw DownloadFailure(.digestMismatch, path) }
    }

    /// Parses one digest of a field such as `sha-256=:base64:, sha-512=:base64:`.
    ///
    /// The field is a dictionary of byte sequences (RFC 9651).
    static func digest(_ algorithm: String, in field: String?) -> Data? {
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
