public import Foundation
internal import NIOSSL
@_spi(Hashing) internal import NetKit

/// The TLS settings of a transport: trust, client certificate, and version.
public struct TLSSettings: Sendable {
    /// A version of TLS.
    public enum Version: Hashable, Sendable {
        /// TLS 1.0, which RFC 8996 deprecates.
        case tls10
        /// TLS 1.1, which RFC 8996 deprecates.
        case tls11
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13

        fileprivate var oldest: TLSVersion {
            switch self {
            case .tls10: .tlsv1
            case .tls11: .tlsv11
            case .tls12: .tlsv12
            case .tls13: .tlsv13
            }
        }
    }

    /// The certificate authorities to trust.
    public enum Roots: Sendable {
        /// The authorities of the system.
        case system
        /// The authorities of the system and additional ones.
        case systemAndAdditional(Certificates)
        /// Only the given authorities.
        case only(Certificates)
    }

    /// The certificate authorities to trust.
    ///
    /// Defaults to those of the system.
    public var roots: Roots
    /// The public keys that servers may have, in addition to a trusted certificate.
    ///
    /// The key must be that of the server's own certificate, not of an authority. The check applies to every https
    /// server, before any request is sent to it. Defaults to an empty set, which allows every key.
    public var pinnedPublicKeys: Set<PublicKeyPin>
    /// The certificate to present to servers that request one.
    ///
    /// Defaults to nil.
    public var clientCertificate: ClientCertificate?

    /// The minimum TLS version of a connection.
    ///
    /// Defaults to 1.2. RFC 8996 deprecates older versions.
    public var minimumVersion = Version.tls12

    /// Creates TLS settings.
    ///
    /// - Parameters:
    ///   - roots: The certificate authorities to trust. Defaults to those of the system.
    ///   - pinnedPublicKeys: The public keys that servers may have. Defaults to an empty set, which allows every key.
    ///   - clientCertificate: The certificate to present to servers. Defaults to nil.
    public init(
        roots: Roots = .system,
        pinnedPublicKeys: Set<PublicKeyPin> = [],
        clientCertificate: ClientCertificate? = nil
    ) {
        self.roots = roots
        self.pinnedPublicKeys = pinnedPublicKeys
        self.clientCertificate = clientCertificate
    }

    /// The settings in the form of AsyncHTTPClient.
    var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = minimumVersion.oldest
        switch roots {
        case .system: break
        case .systemAndAdditional(let more):
            configuration.additionalTrustRoots = [.certificates(more.certificates)]
        case .only(let roots): configuration.trustRoots = .certificates(roots.certificates)
        }
        if let client = clientCertificate {
            configuration.certificateChain = client.chain.map { .certificate($0) }
            configuration.privateKey = .privateKey(client.key)
        }
        return configuration
    }
}

/// A list of parsed certificates.
public struct Certificates: Sendable {
    let certificates: [NIOSSLCertificate]

    /// Parses certificates.
    ///
    /// - Parameter pem: One or more certificates as PEM text (RFC 7468).
    /// - Throws: ``InvalidTLSSettings`` if the text isn't valid or has no certificate.
    public init(pem: Data) throws {
        certificates = try InvalidTLSSettings.orThrow("certificates") {
            try NIOSSLCertificate.fromPEMBytes(Array(pem))
        }
        guard !certificates.isEmpty else { throw InvalidTLSSettings(what: "certificates") }
    }
}

/// A client certificate with its private key.
public struct ClientCertificate: Sendable {
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// Parses a certificate and its key.
    ///
    /// A mismatch between the two is detected only when they are used.
    ///
    /// - Parameters:
    ///   - chain: The certificate and its intermediate authorities as PEM text.
    ///   - key: The unencrypted private key as PEM text.
    /// - Throws: ``InvalidTLSSettings`` if either text isn't valid.
    public init(chain: Data, key: Data) throws {
        self.chain = try Certificates(pem: chain).certificates
        self.key = try InvalidTLSSettings.orThrow("a private key") {
            try NIOSSLPrivateKey(bytes: Array(key), format: .pem)
        }
    }
}

/// The SHA-256 hash of a public key, for pinning.
///
/// It is the hash of the SubjectPublicKeyInfo (RFC 7469, section 2.4).
public struct PublicKeyPin: Hashable, Sendable {
    /// The 32 bytes of the hash.
    public let sha256: Data

    /// Creates a pin from a hash.
    ///
    /// - Parameter sha256: The 32 bytes of the hash.
    /// - Throws: ``InvalidTLSSettings`` if there aren't 32 bytes.
    public init(sha256: Data) throws {
        guard sha256.count == 32 else { throw InvalidTLSSettings(what: "a SHA-256") }
        self.sha256 = sha256
    }

    /// Creates a pin from the output of `openssl dgst -sha256 -binary | base64`.
    ///
    /// - Parameter base64: The 32 bytes in base64, with or without the prefix `sha256/` and white space around them.
    /// - Throws: ``InvalidTLSSettings`` if the text isn't valid.
    public init(base64: String) throws {
        let trimmed = base64.trimmingCharacters(in: .whitespacesAndNewlines)
        let text = trimmed.hasPrefix("sha256/") ? String(trimmed.dropFirst(7)) : trimmed
        try self.init(sha256: Data(base64Encoded: text) ?? Data())
    }

    /// Creates the pin of a certificate's key.
    init(of certificate: NIOSSLCertificate) throws {
        sha256 = Data(Data(try certificate.extractPublicKey().toSPKIBytes()).sha256)
    }
}

/// An error for invalid input to ``TLSSettings``.
public struct InvalidTLSSettings: Error, Hashable, CustomStringConvertible {
    let what: String

    /// The expected input, as one lowercase line.
    public var description: String { "this is not \(what)" }

    static func orThrow<Value>(_ what: String, _ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch {
            throw InvalidTLSSettings(what: what)
        }
    }
}
