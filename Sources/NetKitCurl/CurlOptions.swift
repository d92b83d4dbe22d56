internal import CLibcurl
internal import Foundation
internal import NetKit
import NetKitSupport

/// The options that are the same for all transfers of a transport.
///
/// Its easy handles refer to its list, so they keep it.
final class CurlOptions {
    let configuration: CurlTransport.Configuration
    private let overrides: OpaquePointer?
    private let resolved: OpaquePointer?
    /// The file and the folder of the system's roots, if the environment names them.
    private let (rootFile, rootFolder): (String?, String?)

    init(_ configuration: CurlTransport.Configuration) {
        self.configuration = configuration
        // libcurl itself reads neither; its command line tool does.
        rootFile = EnvironmentVariable.value(of: "SSL_CERT_FILE")
        rootFolder = EnvironmentVariable.value(of: "SSL_CERT_DIR")
        overrides = configuration.addressOverrides.reduce(nil) { list, override in
            nk_list_append(list, "\(override.key):\(override.value)") ?? list
        }
        resolved = configuration.resolved.reduce(nil) { nk_list_append($0, $1) ?? $0 }
    }

    deinit {
        nk_list_free(overrides)
        nk_list_free(resolved)
    }

    /// Whether a request may go over a proxy.
    var mayUseProxy: Bool {
        switch configuration.proxy {
        case .none: false
        case .url: true
        case .environment:
            ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
                .contains { (name: String) in getenv(name) != nil }
        }
    }

    /// Sets the options.
    ///
    /// - Returns: Why one of them can't be set. Then no request may be sent: it would go out without a pinned key, or to
    ///   another host.
    func apply(to easy: OpaquePointer) -> TransportError? {
        var setter = Setter(easy: easy)
        setter.set(NK_OPT_NOSIGNAL, 1)
        setter.set(NK_OPT_PATH_AS_IS, 1)
        setter.set(NK_OPT_PROTOCOLS, NK_PROTOCOL_HTTP | NK_PROTOCOL_HTTPS)
        setter.set(NK_OPT_SUPPRESS_CONNECT_HEADERS, 1)
        setter.set(NK_OPT_HTTP09_ALLOWED, 0)
        // All codings that the library has, until a transfer says otherwise.
        setter.set(NK_OPT_ACCEPT_ENCODING, "", for: "Accept-Encoding")
        // The end of a call doesn't wait for the lookup of its host. Only from 7.87 on.
        nk_easy_set_long(easy, NK_OPT_QUICK_EXIT, 1)
        let milliseconds = configuration.connectTimeout.clampedNanoseconds / 1_000_000
        setter.set(NK_OPT_CONNECTTIMEOUT_MS, Int(clamping: max(1, milliseconds)))
        if let path = configuration.unixSocketPath {
            guard (1..<MemoryLayout.size(ofValue: sockaddr_un().sun_path)).contains(path.utf8.count)
            else { return .unsupported("a unixSocketPath that is empty or too long") }
            setter.set(NK_OPT_UNIX_SOCKET_PATH, path, for: "unixSocketPath")
        }
        if let interface = configuration.localInterface {
            // libcurl would ignore an empty one.
            guard !interface.isEmpty else { return .unsupported("an empty localInterface") }
            setter.set(NK_OPT_INTERFACE, interface, for: "localInterface")
        }
        switch configuration.proxy {
        case .environment: break
        case .none: setter.set(NK_OPT_PROXY, "", for: "proxy")
        case .url(let url):
            guard ["http", "https", "socks5", "socks5h"].contains(url.scheme?.lowercased()) else {
                return .unsupported("a proxy that is not http, https, socks5 or socks5h")
            }
            setter.set(NK_OPT_PROXY, url.absoluteString, for: "proxy")
            // The environment excepts no host from it.
            setter.set(NK_OPT_NOPROXY, "", for: "proxy")
        }
        // libcurl would skip an entry, and connect to the host itself.
        let addresses = configuration.addressOverrides.flatMap { [$0.key, $0.value] }
        guard addresses.allSatisfy({ Self.isHostAndPort($0) }) else {
            return .unsupported("an address override that is not host:port")
        }
        if let overrides {
            setter.check(
                nk_easy_set_pointer(easy, NK_OPT_CONNECT_TO, UnsafeRawPointer(overrides)),
                for: "addressOverrides"
            )
        }
        if let resolved {
            nk_easy_set_pointer(easy, NK_OPT_RESOLVE, UnsafeRawPointer(resolved))
        }
        return set(configuration.tls, with: &setter)
            ?? setter.failed.map {
                TransportError.unsupported("\(CurlLibrary.shared) has no \($0)")
            }
    }

    /// Whether a text is `host:port`, with brackets around an IPv6 address.
    private static func isHostAndPort(_ text: String) -> Bool {
        guard let colon = text.lastIndex(of: ":"),
            let port = text[text.index(after: colon)...].asciiNumber(as: UInt16.self), port > 0
        else { return false }
        var host = text[..<colon]
        let isIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
        if isIPv6 { host = host.dropFirst().dropLast() }
        return !host.isEmpty && host.contains(":") == isIPv6
            && host.allSatisfy { $0.isASCII && !$0.isWhitespace && !"/@[]".contains($0) }
    }

    private func set(_ tls: CurlTransport.TLS, with setter: inout Setter) -> TransportError? {
        setTrust(tls, of: .server, with: &setter)
        if CurlLibrary.shared.hasHTTPSProxy { setTrust(tls, of: .proxy, with: &setter) }
        if !tls.pinnedPublicKeys.isEmpty {
            let pins = tls.pinnedPublicKeys.sorted()
                .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
                .map { $0.hasPrefix("sha256/") ? String($0.dropFirst(7)) : $0 }
            guard pins.allSatisfy({ Data(base64Encoded: $0)?.count == 32 }) else {
                return .unsupported("a pinned key that is not the base64 of a SHA-256")
            }
            let text = pins.map { "sha256//\($0)" }.joined(separator: ";")
            setter.set(NK_OPT_PINNEDPUBLICKEY, text, for: "tls.pinnedPublicKeys")
        }
        if let client = tls.clientCertificate {
            let name = "tls.clientCertificate"
            setter.set(NK_OPT_SSLCERTTYPE, "PEM", for: name)
            setter.set(NK_OPT_SSLCERT_BLOB, client.chain, for: name)
            setter.set(NK_OPT_SSLKEYTYPE, "PEM", for: name)
            setter.set(NK_OPT_SSLKEY_BLOB, client.key, for: name)
            // Without one, libcurl crashes on an encrypted key.
            setter.set(NK_OPT_KEYPASSWD, client.password ?? "", for: name)
        }
        return nil
    }

    /// The options that say whom to trust.
    private struct TrustOptions {
        let version: Int
        let file: Int
        let folder: Int
        let blob: Int

        static let server = TrustOptions(
            version: NK_OPT_SSLVERSION,
            file: NK_OPT_CAINFO,
            folder: NK_OPT_CAPATH,
            blob: NK_OPT_CAINFO_BLOB
        )
        static let proxy = TrustOptions(
            version: NK_OPT_PROXY_SSLVERSION,
            file: NK_OPT_PROXY_CAINFO,
            folder: NK_OPT_PROXY_CAPATH,
            blob: NK_OPT_PROXY_CAINFO_BLOB
        )
    }

    /// Sets the authorities and the version, which hold for the server and for a proxy.
    private func setTrust(
        _ tls: CurlTransport.TLS,
        of peer: TrustOptions,
        with setter: inout Setter
    ) {
        setter.set(peer.version, tls.minimumVersion.number, for: "tls.minimumVersion")
        switch tls.roots {
        case .system:
            if let rootFile { setter.set(peer.file, rootFile, for: "SSL_CERT_FILE") }
            if let rootFolder { setter.set(peer.folder, rootFolder, for: "SSL_CERT_DIR") }
        case .only(let roots):
            // libcurl from 8.19 on takes no empty blob. No certificate is in either.
            let blob = roots.isEmpty ? Data("\n".utf8) : roots
            setter.set(peer.blob, blob, for: "tls.roots")
            setter.set(peer.file, nil, for: "tls.roots")
            setter.set(peer.folder, nil, for: "tls.roots")
        }
    }
}

extension CurlTransport.TLS.Version {
    /// The minimum version as libcurl's number.
    var number: Int { self == .tls13 ? NK_SSLVERSION_TLSv1_3 : NK_SSLVERSION_TLSv1_2 }
}

/// Sets options, and keeps the name of the first one that the library refuses.
private struct Setter {
    let easy: OpaquePointer
    private(set) var failed: String?

    init(easy: OpaquePointer) {
        self.easy = easy
    }

    mutating func set(_ option: Int, _ value: Int, for name: String? = nil) {
        check(nk_easy_set_long(easy, option, value), for: name)
    }

    mutating func set(_ option: Int, _ value: String?, for name: String) {
        check(nk_easy_set_text(easy, option, value), for: name)
    }

    mutating func set(_ option: Int, _ data: Data, for name: String) {
        check(
            data.withUnsafeBytes { nk_easy_set_blob(easy, option, $0.baseAddress, $0.count) },
            for: name
        )
    }

    mutating func check(_ result: Int, for name: String?) {
        if result != NK_OK, failed == nil { failed = name }
    }
}

extension CurlTransport.HTTPVersion {
    /// The version to ask for, as libcurl's number.
    func number(isSecure: Bool) -> Int {
        switch self {
        case .http1Only: NK_HTTP_VERSION_1_1
        case .automatic:
            isSecure && CurlLibrary.shared.sharesConnections
                ? NK_HTTP_VERSION_2TLS : NK_HTTP_VERSION_1_1
        // Known beforehand, libcurl from 8.10 on would offer a server no HTTP/1.1 over TLS.
        case .http2PriorKnowledge:
            isSecure ? Self.automatic.number(isSecure: true) : NK_HTTP_VERSION_2_PRIOR_KNOWLEDGE
        case .http3: isSecure ? NK_HTTP_VERSION_3 : NK_HTTP_VERSION_1_1
        }
    }
}
