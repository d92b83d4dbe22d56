internal import CLibcurl
internal import Foundation
internal import NetKit

/// The libcurl of the process.
struct CurlLibrary: Sendable, CustomStringConvertible {
    /// Such as 0x075801 for 7.88.1; 0 without a library.
    let version: UInt32
    let description: String
    private let problem: String?
    private let hasHTTP2: Bool
    private let hasHTTP3: Bool
    /// Whether it can speak TLS with a proxy.
    let hasHTTPSProxy: Bool
    /// Whether certificates and keys can be given in memory (7.71), and authorities (7.77).
    private let hasBlobs: Bool
    private let hasRootBlob: Bool
    /// Whether libcurl asks before it sends a request (7.80).
    let hasRequestCheck: Bool
    /// Whether a stream, or a call with prior knowledge, needs a connection of HTTP/2 of its own.
    ///
    /// Before 8.1, a paused response fails while other transfers read its connection, because libcurl collects at most 64 MiB
    /// of it. In 7.88, two requests over one connection with prior knowledge fail, too. In 8.7, a response that is canceled or
    /// refused ends the others.
    let separatesStreams: Bool
    /// Whether requests can share a connection of HTTP/2 (from 7.88 on, but for 8.7).
    ///
    /// Before, a paused or a canceled response could lock up the others, and the log had streams in another form. In 8.7, the
    /// write callback can only end the whole connection.
    let sharesConnections: Bool
    /// Whether a response of HTTP/2 may never end, because its last frame doesn't fit the buffer (7.88 to 8.0).
    let losesEndOfStream: Bool
    /// Whether a transfer over HTTP/2 may miss its end: because the server ends the connection, and another transfer reads that
    /// (7.88 to 8.5), or because libcurl reads nothing while a live body waits for its next piece (8.4 to 8.5).
    let missesEnds: Bool
    /// Whether a request waits for the first response on a connection of HTTP/2 without TLS, also if none will come because that
    /// request was canceled or reset (8.13 to 8.15).
    let waitsForFirstResponse: Bool
    /// Whether a handle that is used again appends a folded line to a field that it has freed, if the line is the first of
    /// a head (7.84 to 8.0).
    let foldsIntoFreedField: Bool
    /// Whether libcurl reads a response of HTTP/1.1 that is held back (8.5).
    let readsHeldBack: Bool
    /// Whether libcurl changes a request's target: an empty query, or the case of an escape (from 8.8 on).
    let changesTarget: Bool
    /// Whether libcurl sends a request on a connection of HTTP/1.1 that is in use, if it has one of HTTP/2 to the same host
    /// (before 8.5).
    let joinsBusyConnections: Bool
    /// Whether what a transfer waits for is known after it was held back, too (7.80, the oldest that was tested).
    let tellsQuiet: Bool

    /// Whether its TLS takes a client's certificate from memory.
    ///
    /// Others, such as GnuTLS, send none without a word.
    let takesCertificates: Bool

    static let shared = CurlLibrary(nk_curl_open().pointee)

    /// Reads a description of a library.
    init(_ library: nk_curl_library) {
        version = library.version
        hasHTTP2 = library.has_http2
        hasHTTP3 = library.has_http3
        hasHTTPSProxy = library.has_https_proxy
        hasBlobs = library.version >= 0x07_4700
        hasRootBlob = library.version >= 0x07_4D00
        hasRequestCheck = library.version >= 0x07_5000
        takesCertificates = Self.takesCertificates(
            library.tls_text.map { String(cString: $0) } ?? "",
            library.version
        )
        tellsQuiet = library.version >= 0x07_5000
        let endsConnections = (0x08_0700..<0x08_0800).contains(library.version)
        sharesConnections = library.version >= 0x07_5800 && !endsConnections
        readsHeldBack = (0x08_0500..<0x08_0600).contains(library.version)
        changesTarget = library.version >= 0x08_0800
        losesEndOfStream = (0x07_5800..<0x08_0100).contains(library.version)
        missesEnds = (0x07_5800..<0x08_0600).contains(library.version)
        waitsForFirstResponse = (0x08_0D00..<0x08_1000).contains(library.version)
        separatesStreams = library.version < 0x08_0100 || endsConnections
        joinsBusyConnections = library.version < 0x08_0500
        foldsIntoFreedField = (0x07_5400..<0x08_0100).contains(library.version)
        var words =
            library.version_text.map { ["libcurl \(String(cString: $0))"] } ?? ["no libcurl"]
        if let text = library.tls_text, library.has_tls {
            words.append(String(cString: text).replacing("/", with: " "))
        }
        let features = [
            (library.has_http2, "HTTP/2"), (library.has_http3, "HTTP/3"),
            (library.has_brotli, "br"), (library.has_zstd, "zstd"),
        ]
        words += features.filter(\.0).map(\.1)
        // Without threads for name lookups, one lookup holds up all requests.
        if library.version > 0, !library.has_asynchronous_dns { words.append("blocking DNS") }
        problem = library.problem.map { "\(words[0]): \(String(cString: $0))" }
        description = problem ?? words.joined(separator: ", ")
    }

    /// Refuses a configuration that the loaded library can't carry out.
    func check(for configuration: CurlTransport.Configuration) throws(TransportError) {
        if let problem { throw TransportError.unsupported(problem) }
        switch configuration.httpVersion {
        case .http3 where !hasHTTP3: throw missing("HTTP/3")
        case .http2PriorKnowledge where !hasHTTP2: throw missing("HTTP/2")
        case .automatic, .http1Only, .http2PriorKnowledge, .http3: break
        }
        if configuration.tls.clientCertificate != nil, !hasBlobs || !takesCertificates {
            throw missing("client certificates in memory (7.71 with OpenSSL)")
        }
        if case .only = configuration.tls.roots, !hasRootBlob {
            throw missing("certificate authorities in memory (7.77)")
        }
        if case .url(let url) = configuration.proxy, url.scheme?.lowercased() == "https",
            !hasHTTPSProxy
        {
            throw missing("proxies with TLS")
        }
    }

    /// Reads `OpenSSL/3.0.19`, or the one in use of `(GnuTLS/3.7.9) OpenSSL/3.0.19`.
    private static func takesCertificates(_ tls: String, _ version: UInt32) -> Bool {
        let inUse = tls.split(separator: " ").first { !$0.hasPrefix("(") } ?? ""
        return switch inUse.split(separator: "/").first ?? "" {
        case "OpenSSL", "LibreSSL", "BoringSSL", "AWS-LC", "quictls", "SecureTransport": true
        case "mbedTLS": version >= 0x07_4E00
        case "wolfSSL": version >= 0x08_0A00
        default: false
        }
    }

    private func missing(_ feature: String) -> TransportError {
        TransportError.unsupported("\(description) has no \(feature)")
    }
}
