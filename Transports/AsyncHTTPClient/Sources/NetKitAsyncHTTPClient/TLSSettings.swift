internal import Crypto
public import Foundation
internal import NIOSSL

/// Whom a connection trusts, and how it proves who it is itself.
public struct TLSSettings: Sendable {
    /// A version of TLS.
    public enum Version: Hashable, Sendable {
        /// TLS 1.0, which RFC 8996 forbids.
        case tls10
        /// TLS 1.1, which RFC 8996 forbids.
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

    /// Which authorities a server's certificate may come from.
    public enum Roots: Sendable {
        /// Those of the system.
        case system
        /// Those of the system, and some more.
        case systemAnd(Certificates)
        /// Some, and none of the system's.
        case only(Certificates)
    }

    /// Which authorities a server's certificate may come from.
    ///
    /// The system's by default.
    public var roots: Roots
    /// The public keys of which a server has to have one, beside a certificate that is trusted.
    ///
    /// It is the key of the server's own certificate that counts, not one of its authorities'. Empty,
    /// as it is by default, allows every key. They are asked of every https server that the transport
    /// connects to, before it is sent a request.
    public var pinnedPublicKeys: Set<PublicKeyPin>
    /// What the transport shows to servers that ask who it is.
    ///
    /// Nothing by default.
    public var clientCertificate: ClientCertificate?

    /// The oldest version of TLS that a connection may have.
    ///
    /// 1.2 by default: RFC 8996 forbids the older ones.
    public var minimumVersion = Version.tls12

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - roots: The authorities. Defaults to the system's.
    ///   - pinnedPublicKeys: The keys of which a server has to have one. Defaults to any key.
    ///   - clientCertificate: What the transport shows of itself. Defaults to nothing.
    public init(
        roots: Roots = .system,
        pinnedPublicKeys: Set<PublicKeyPin> = [],
        clientCertificate: ClientCertificate? = nil
    ) {
        self.roots = roots
        self.pinnedPublicKeys = pinnedPublicKeys
        self.clientCertificate = clientCertificate
    }

    /// The settings as AsyncHTTPClient takes them.
    var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = minimumVersion.oldest
        switch roots {
        case .system: break
        case .systemAnd(let more):
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

/// Certificates that were read.
public struct Certificates: Sendable {
    let certificates: [NIOSSLCertificate]

    /// Reads certificates.
    ///
    /// - Parameter pem: One or more certificates as PEM text (RFC 7468).
    /// - Throws: ``InvalidTLSSettings`` if that is not what it is.
    public init(pem: Data) throws {
        certificates = try InvalidTLSSettings.orThrow("certificates") {
            try NIOSSLCertificate.fromPEMBytes(Array(pem))
        }
        guard !certificates.isEmpty else { throw InvalidTLSSettings(what: "certificates") }
    }
}

/// A certificate of one's own, and the key that proves it.
public struct ClientCertificate: Sendable {
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// Reads a certificate and its key.
    ///
    /// Whether they belong together shows when they are used.
    ///
    /// - Parameters:
    ///   - chain: The certificate and those of the authorities between it and a root, as PEM text.
    ///   - key: The private key as PEM text, not encrypted.
    /// - Throws: ``InvalidTLSSettings`` if that is not what they are.
    public init(chain: Data, key: Data) throws {
        self.chain = try Certificates(pem: chain).certificates
        self.key = try InvalidTLSSettings.orThrow("a private key") {
            try NIOSSLPrivateKey(bytes: Array(key), format: .pem)
        }
    }
}

/// The SHA-256 of a public key (of its SubjectPublicKeyInfo, as in RFC 7469, section 2.4).
public struct PublicKeyPin: Hashable, Sendable {
    /// The 32 bytes.
    public let sha256: Data

    /// Makes a pin.
    ///
    /// - Parameter sha256: The 32 bytes.
    /// - Throws: ``InvalidTLSSettings`` for another number of bytes.
    public init(sha256: Data) throws {
        guard sha256.count == 32 else { throw InvalidTLSSettings(what: "a SHA-256") }
        self.sha256 = sha256
    }

    /// Makes a pin of what `openssl dgst -sha256 -binary | base64` prints.
    ///
    /// - Parameter base64: The 32 bytes in Base64, with or without `sha256/` before them.
    /// - Throws: ``InvalidTLSSettings`` for anything else.
    public init(base64: String) throws {
        let text = base64.hasPrefix("sha256/") ? String(base64.dropFirst(7)) : base64
        try self.init(sha256: Data(base64Encoded: text) ?? Data())
    }

    /// The pin of a certificate's key.
    init(of certificate: NIOSSLCertificate) throws {
        let key = try certificate.extractPublicKey().toSPKIBytes()
        sha256 = Data(SHA256.hash(data: key))
    }
}

/// What was given as ``TLSSettings`` is not what it should be.
public struct InvalidTLSSettings: Error, Hashable, CustomStringConvertible {
    let what: String

    /// What was expected, as one lower-case line.
    public var description: String { "this is not \(what)" }

    static func orThrow<Value>(_ what: String, _ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch {
            throw InvalidTLSSettings(what: what)
        }
    }
}
