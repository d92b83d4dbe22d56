public import Foundation
internal import NetKit
internal import NetKitSupport

extension CurlTransport {
    /// The configuration of a transport.
    public struct Configuration: Sendable {
        /// The maximum number of calls at once to one host over HTTP/1.1.
        ///
        /// Defaults to 8. It is the initial `maximumConcurrentRequestsPerHost` of an endpoint over the transport, which
        /// queues further calls. Streams and credential refreshes have limits of their own. For hosts that speak HTTP/2,
        /// raise the endpoint's value to as much as 100.
        public var maximumConnectionsPerHost = 8
        /// The time that an idle connection stays usable, rounded down to seconds, at least one.
        ///
        /// Defaults to 60 seconds.
        public var idleConnectionLifetime: Duration = .seconds(60)
        /// The time limit for connecting, including name lookup, TLS and the proxy, in milliseconds.
        ///
        /// Defaults to 5 minutes. The default is long, because the endpoint's idle timeout covers connecting too. But calls
        /// over https wait for their host's first connection, which may become one of HTTP/2: a server that accepts it and
        /// then says nothing delays them all. 10 seconds are enough for most networks.
        public var connectTimeout: Duration = .seconds(300)
        /// The HTTP version.
        ///
        /// Defaults to ``HTTPVersion/automatic``.
        public var httpVersion = HTTPVersion.automatic
        /// The TLS settings.
        ///
        /// Authorities and minimum version hold for an `https` proxy, too. Pinned keys and the client certificate don't.
        public var tls = TLS()
        /// The proxy.
        ///
        /// Defaults to ``Proxy/environment``.
        public var proxy = Proxy.environment
        /// The path of a unix socket for every connection, whatever the host, such as `/var/run/docker.sock`.
        ///
        /// Defaults to nil, no socket. No proxy applies to it. The host of the URL only becomes the `Host` field.
        public var unixSocketPath: String?
        /// The addresses to connect to in place of hosts: `["api.example.com:443": "127.0.0.1:8443"]`.
        ///
        /// TLS and `Host` keep the name. A host is spelled as in the URL that is sent, such as `xn--bcher-kva.example`, and
        /// brackets surround IPv6 addresses. With an entry that isn't `host:port` in ASCII, every request is refused.
        /// Defaults to none.
        public var addressOverrides: [String: String] = [:]
        /// The addresses of hosts in place of a lookup, as in `a.test:80:127.0.0.2,127.0.0.1`.
        ///
        /// For tests.
        var resolved: [String] = []
        /// The addresses that may be connected to, checked after name resolution for each connection.
        ///
        /// Defaults to ``AddressPolicy/any``. Over a proxy, it concerns the proxy's address alone, because the proxy
        /// connects to the host, also with `socks5`.
        public var allowedAddresses = AddressPolicy.any
        /// The local interface, host name or address to connect from, such as `eth0` or `192.168.1.7`.
        ///
        /// Defaults to nil, the system's choice.
        public var localInterface: String?

        /// Creates a default configuration.
        public init() {}
    }

    /// The HTTP version of a transport's requests.
    public enum HTTPVersion: Hashable, Sendable {
        /// HTTP/2 over TLS if the server offers it (RFC 9113, section 3.2), otherwise HTTP/1.1.
        ///
        /// Before libcurl 7.88, and with 8.7, whose shared connections of HTTP/2 can lock up, it is HTTP/1.1.
        ///
        /// Calls share a connection of HTTP/2. Streams do so only from libcurl 8.1 on. With earlier versions, each stream
        /// has a connection of its own, so that a slow reader affects no other call.
        case automatic
        /// HTTP/1.1 only.
        case http1Only
        /// HTTP/2 without TLS, known beforehand (RFC 9113, section 3.3). For `https` URLs, it is ``automatic``, and over an
        /// HTTP proxy HTTP/1.1.
        case http2PriorKnowledge
        /// HTTP/3 if libcurl has it and the server offers it.
        ///
        /// Without it in libcurl, requests fail with ``TransportError/Kind/unsupported``.
        case http3
    }

    /// A proxy for connections.
    public enum Proxy: Hashable, Sendable {
        /// The proxy that the environment names, by curl's rules.
        ///
        /// `http_proxy` for http, `https_proxy` or `HTTPS_PROXY` for https, `all_proxy` or `ALL_PROXY` for both, and
        /// `no_proxy` or `NO_PROXY` for hosts without a proxy. `HTTP_PROXY` is ignored.
        case environment
        /// No proxy.
        case none
        /// An `http`, `https`, `socks5` or `socks5h` URL, with user name and password if the proxy wants them.
        ///
        /// With `socks5h`, the proxy resolves host names.
        case url(URL)
    }

    /// The TLS settings of a transport.
    public struct TLS: Sendable {
        /// The certificate authorities to trust.
        ///
        /// Defaults to ``Roots/system``.
        public var roots = Roots.system
        /// The public keys that servers may have, in addition to a trusted certificate.
        ///
        /// Each is the base64 of the SHA-256 of the SubjectPublicKeyInfo (RFC 7469, section 2.4), with or without
        /// `sha256/` and white space around it. Defaults to an empty set, which allows every key.
        public var pinnedPublicKeys: Set<String> = []
        /// The certificate for servers that request one.
        ///
        /// Defaults to nil.
        public var clientCertificate: ClientCertificate?
        /// The minimum TLS version of a connection.
        ///
        /// Defaults to 1.2. RFC 8996 deprecates older versions.
        public var minimumVersion = Version.tls12

        /// Creates default settings.
        public init() {}

        /// The certificate authorities to trust.
        public enum Roots: Sendable {
            /// The authorities of the system, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
            case system
            /// Only these authorities, as PEM text (RFC 7468).
            ///
            /// To add authorities to the system's, include the text of the system's file.
            case only(Data)
        }

        /// A version of TLS.
        public enum Version: Hashable, Sendable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// A client certificate with its private key.
        public struct ClientCertificate: Sendable {
            let chain: Data
            let key: Data
            let password: String?

            /// Creates a certificate with its key.
            ///
            /// Invalid text is detected when a connection is made, which then fails with
            /// ``TransportError/Kind/secureConnection``.
            ///
            /// - Parameters:
            ///   - chain: The certificate and its intermediate authorities, leaf first, as PEM text.
            ///   - key: The private key as PEM text.
            ///   - password: The password of an encrypted key. Defaults to nil.
            public init(chain: Data, key: Data, password: String? = nil) {
                (self.chain, self.key, self.password) = (chain, key, password)
            }
        }
    }

    /// The addresses that a transport may connect to.
    ///
    /// It guards a server that fetches URLs of its users against requests to its own network (SSRF). Each address is
    /// checked after name resolution and before a byte is sent, so redirects and changing name servers can't evade it.
    /// A connection that stays open was checked when it was opened. A refused address fails the request as
    /// ``TransportError/Kind/cannotConnect``, and the error names it.
    public enum AddressPolicy: Sendable {
        /// Every address.
        case any
        /// No loopback, private, link-local, shared, multicast, documentation or reserved address (RFC 6890), in any
        /// notation, nor an IPv6 address that contains one.
        case publicOnly
        /// The addresses for which the closure returns true.
        ///
        /// It receives the numeric address, such as `10.0.0.7` or `2001:db8::1`, on the transport's thread, and must
        /// not block.
        case custom(@Sendable (String) -> Bool)

        /// Whether an address may be connected to.
        func allows(_ address: String) -> Bool {
            switch self {
            case .any: true
            case .publicOnly: NumericAddress(address)?.isPublic ?? false
            case .custom(let isAllowed): isAllowed(address)
            }
        }
    }
}

/// A numeric IP address.
struct NumericAddress: Sendable {
    /// 4 or 16 bytes in network order.
    private let bytes: [UInt8]

    /// Parses an address; nil if it isn't numeric.
    init?(_ text: String) {
        var four = [UInt8](repeating: 0, count: 4)
        var sixteen = [UInt8](repeating: 0, count: 16)
        // An IPv6 address may have a zone.
        let address = text.prefix { $0 != "%" }
        if inet_pton(AF_INET, String(address), &four) == 1 {
            bytes = four
        } else if inet_pton(AF_INET6, String(address), &sixteen) == 1 {
            bytes = sixteen
        } else {
            return nil
        }
    }

    private init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    /// Whether the address is globally reachable, by the special-purpose registries (RFC 6890).
    var isPublic: Bool {
        if bytes.count == 4 { return !Self.special4.contains { isIn($0) } }
        // An IPv4 address in an IPv6 one: mapped (RFC 4291), translated (RFC 6052), and 6to4 (RFC 3056).
        if isIn(Self.mapped) || isIn(Self.translated) {
            return NumericAddress(bytes[12...]).isPublic
        }
        if isIn(Self.sixToFour) { return NumericAddress(bytes[2..<6]).isPublic }
        return isIn(Self.globalUnicast) && !Self.special6.contains { isIn($0) }
    }

    private func isIn(_ block: Block) -> Bool {
        var bits = block.bits
        for (own, other) in zip(bytes, block.prefix) {
            guard bits > 0 else { return true }
            let mask: UInt8 = bits >= 8 ? 0xFF : ~(0xFF >> UInt8(bits))
            guard own & mask == other & mask else { return false }
            bits -= 8
        }
        return true
    }

    private struct Block: Sendable {
        let prefix: [UInt8]
        let bits: Int

        init(_ bits: Int, _ prefix: UInt8...) {
            self.bits = bits
            // Zeros up to the length of the block.
            self.prefix = prefix + Array(repeating: 0, count: max(0, (bits + 7) / 8 - prefix.count))
        }
    }

    /// The blocks of the IPv4 registry that aren't globally reachable, multicast, and reserved addresses.
    private static let special4 = [
        Block(8, 0), Block(8, 10), Block(10, 100, 64), Block(8, 127), Block(16, 169, 254),
        Block(12, 172, 16), Block(24, 192, 0, 0), Block(24, 192, 0, 2), Block(24, 192, 88, 99),
        Block(16, 192, 168), Block(15, 198, 18), Block(24, 198, 51, 100), Block(24, 203, 0, 113),
        Block(4, 224), Block(4, 240),
    ]

    private static let globalUnicast = Block(3, 0x20)
    private static let mapped = Block(96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF)
    private static let translated = Block(96, 0x00, 0x64, 0xFF, 0x9B)
    private static let sixToFour = Block(16, 0x20, 0x02)

    /// The blocks below 2000::/3 that aren't globally reachable: protocol assignments with Teredo, and documentation.
    private static let special6 = [
        Block(23, 0x20, 0x01), Block(32, 0x20, 0x01, 0x0D, 0xB8), Block(20, 0x3F, 0xFF),
    ]
}

extension CurlTransport.Proxy: Concealed {
    /// The proxy, without its user name and password.
    package var shown: String {
        switch self {
        case .environment: "environment"
        case .none: "none"
        case .url(let url): "\(RedactedURL(url))"
        }
    }
}

extension CurlTransport.TLS.ClientCertificate: Concealed {
    /// The length of the chain, without the key and its password.
    package var shown: String {
        "chain: \(chain.count) bytes, key: \(Redaction.mark)"
    }
}
