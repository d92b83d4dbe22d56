import NetKit
import NetKitSupport

/// A hash algorithm of Digest authentication (RFC 7616, section 3.3).
struct DigestAlgorithm: Equatable, Sendable {
    /// The hash functions.
    enum Hash: Sendable {
        case md5, sha256, sha512t256

        /// The relative strength of the hash.
        var strength: Int { self == .md5 ? 0 : 1 }
    }

    /// The hash function.
    let hash: Hash
    /// Whether the secret is that of a session (`-sess`).
    let isSession: Bool

    /// Parses the parameter `algorithm`, or returns nil for an unsupported algorithm.
    ///
    /// - Parameter name: The value in any case, or nil without the parameter, which means MD5.
    init?(_ name: String?) {
        switch name?.lowercased() {
        case nil, "md5": (hash, isSession) = (.md5, false)
        case "md5-sess": (hash, isSession) = (.md5, true)
        case "sha-256": (hash, isSession) = (.sha256, false)
        case "sha-256-sess": (hash, isSession) = (.sha256, true)
        case "sha-512-256": (hash, isSession) = (.sha512t256, false)
        case "sha-512-256-sess": (hash, isSession) = (.sha512t256, true)
        default: return nil
        }
    }

    /// Returns the digest of a text's UTF-8 in lowercase hexadecimal: `H(data)` of the RFC.
    func digest(of text: String) -> String {
        let message = Array(text.utf8)
        let digest =
            switch hash {
            case .md5: MD5.digest(of: message)
            case .sha256: SHA256.digest(of: message)
            case .sha512t256: SHA512t256.digest(of: message)
            }
        return Self.hexadecimal(digest)
    }

    /// Returns the digest of a body: `H(entity-body)` of the RFC.
    ///
    /// - Parameter body: The body, which is read to its end, or nil for an empty one.
    /// - Returns: The digest in lowercase hexadecimal.
    /// - Throws: An error if the body can't be read.
    func digest(of body: BodySource?) throws -> String {
        let digest =
            switch hash {
            case .md5: try Self.digest(of: body, by: MD5.self)
            case .sha256: try Self.digest(of: body, by: SHA256.self)
            case .sha512t256: try Self.digest(of: body, by: SHA512t256.self)
            }
        return Self.hexadecimal(digest)
    }

    private static func digest<H: BlockHash>(
        of body: BodySource?,
        by hash: H.Type
    ) throws -> [UInt8] {
        try body.map { try HashedMessage<H>(of: $0) }?.digest ?? HashedMessage<H>().digest
    }

    /// Returns the digest of texts joined by colons.
    func digest(of parts: [String]) -> String {
        digest(of: parts.joined(separator: ":"))
    }

    /// Returns bytes in lowercase hexadecimal.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
