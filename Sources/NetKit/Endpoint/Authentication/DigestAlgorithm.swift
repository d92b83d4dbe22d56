/// A hash of Digest authentication, and what is hashed for its secret (RFC 7616, section 3.3).
struct DigestAlgorithm: Hashable, Sendable {
    /// What computes the digests; the greater the stronger.
    enum Hash: Int, Comparable, Sendable {
        case md5, sha256

        static func < (left: Hash, right: Hash) -> Bool { left.rawValue < right.rawValue }
    }

    /// What computes the digests.
    let hash: Hash
    /// Whether the secret is one of a session: `-sess`.
    let isSession: Bool

    /// Reads the parameter `algorithm`; nil for an algorithm that is not supported.
    ///
    /// - Parameter name: The value, in any case; nil without the parameter, which means MD5.
    init?(_ name: String?) {
        switch name?.lowercased() {
        case nil, "md5": (hash, isSession) = (.md5, false)
        case "md5-sess": (hash, isSession) = (.md5, true)
        case "sha-256": (hash, isSession) = (.sha256, false)
        case "sha-256-sess": (hash, isSession) = (.sha256, true)
        default: return nil
        }
    }

    /// The digest of a text's UTF-8, in lower-case hexadecimal digits: `H(data)` of the RFC.
    func digest(of text: String) -> String {
        let message = Array(text.utf8)
        return switch hash {
        case .md5: Self.hexadecimal(MD5.digest(of: message))
        case .sha256: Self.hexadecimal(SHA256.digest(of: message))
        }
    }

    /// The digest of texts with colons between them.
    func digest(of parts: [String]) -> String {
        digest(of: parts.joined(separator: ":"))
    }

    /// Bytes as two lower-case digits each.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
