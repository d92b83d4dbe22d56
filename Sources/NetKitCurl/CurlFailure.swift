internal import CLibcurl
internal import Foundation
internal import NetKit
import NetKitSupport

/// A failure of libcurl, and its meaning in NetKit.
struct CurlFailure {
    /// The `CURLcode`.
    let code: Int
    /// The `errno` of the connection, or 0.
    let systemError: Int32
    /// libcurl's own words, which may quote the server.
    let text: String
    /// Whether the request may have been sent.
    var wasSent = true
    /// Whether a byte of the request was sent.
    var hasRequestHead = true
    /// Whether the final head of the response had arrived.
    let hadHead: Bool
    /// The status of the proxy's last response to CONNECT, or 0.
    var tunnelStatus = 0
    /// The URL of a request for which the environment may name a proxy.
    var proxiedURL: URL?
    /// The proxy of the configuration.
    var proxy: URL?
    /// The path of the unix socket in place of a host.
    var socketPath: String?

    var error: TransportError {
        // NetKit itself aborts what libcurl would send again.
        let isAbort = code == NK_ABORTED_BY_CALLBACK
        return TransportError(
            kind,
            underlying: isAbort ? nil : CurlCode(code: code),
            reason: reason
        )
    }

    /// The kind of the failure.
    var kind: TransportError.Kind {
        if hasRefusedTunnel || hasUnknownProxy { return .cannotConnect }
        // Before the request is sent, there is only talk with a proxy.
        let lost: TransportError.Kind =
            hadHead ? .truncatedResponse : wasSent ? .connectionLost : .cannotConnect
        return switch code {
        case NK_COULDNT_RESOLVE_HOST: .cannotFindHost
        case NK_PROXY_FAILED, NK_INTERFACE_FAILED: .cannotConnect
        // libcurl from 8.16 on says so of a client's key that it can't use.
        case NK_BAD_FUNCTION_ARGUMENT where !wasSent: .secureConnection
        case NK_COULDNT_CONNECT, NK_QUIC_CONNECT_ERROR:
            [ENETUNREACH, ENETDOWN].contains(systemError) ? .notConnected : .cannotConnect
        // NetKit's limits are the endpoint's. This one is `connectTimeout`.
        case NK_OPERATION_TIMEDOUT: hadHead ? lost : .cannotConnect
        case NK_SSL_CONNECT_ERROR, NK_SSL_CERTPROBLEM, NK_SSL_CIPHER, NK_PEER_FAILED_VERIFICATION,
            NK_SSL_CACERT_BADFILE, NK_SSL_CRL_BADFILE, NK_SSL_ISSUER_ERROR,
            NK_SSL_PINNEDPUBKEYNOTMATCH, NK_SSL_INVALIDCERTSTATUS, NK_SSL_CLIENTCERT:
            .secureConnection
        case NK_GOT_NOTHING, NK_SEND_ERROR, NK_RECV_ERROR, NK_PARTIAL_FILE, NK_HTTP2,
            NK_HTTP2_STREAM,
            NK_HTTP3, NK_SEND_FAIL_REWIND, NK_ABORTED_BY_CALLBACK:
            isMalformed ? .malformedResponse : isRefusedByTLS ? .secureConnection : lost
        case NK_WEIRD_SERVER_REPLY, NK_BAD_CONTENT_ENCODING, NK_UNSUPPORTED_PROTOCOL,
            NK_WRITE_ERROR,
            // A line of a head that libcurl itself can't keep, such as one with a CR in a name.
            NK_BAD_FUNCTION_ARGUMENT:
            .malformedResponse
        case NK_OUT_OF_MEMORY, NK_TOO_LARGE:
            !hasRequestHead ? .unsupported : hadHead ? .other : .malformedResponse
        case NK_URL_MALFORMAT, NK_NOT_BUILT_IN: .unsupported
        default: .other
        }
    }

    /// Whether the proxy's host was not found, which libcurl from 8.10 on may say in words alone.
    private var hasUnknownProxy: Bool {
        code == NK_COULDNT_RESOLVE_PROXY
            || code == NK_COULDNT_RESOLVE_HOST && text.hasPrefix("Could not resolve proxy: ")
    }

    /// Whether the proxy opened no tunnel.
    private var hasRefusedTunnel: Bool {
        tunnelStatus != 0 && !(200..<300).contains(tunnelStatus)
    }

    /// Whether the server refused the client after the handshake of TLS 1.3, such as for its lack of a certificate.
    private var isRefusedByTLS: Bool {
        !hadHead && text.contains("routines::") && text.contains("alert")
    }

    /// Whether the words tell that bytes arrived which aren't HTTP.
    private var isMalformed: Bool {
        guard code == NK_RECV_ERROR || code == NK_HTTP2 || code == NK_HTTP2_STREAM else {
            return false
        }
        let text = text.lowercased()
        return ["chunk", "header", "nul byte", "protocol_error", "http2 framing"]
            .contains { text.contains($0) }
            && !text.contains("framing layer")
    }

    /// The reason in the words of the operating system or of TLS; nil where the words may quote what the server sent.
    var reason: String? {
        switch kind {
        case .cannotConnect where hasRefusedTunnel:
            "the proxy answered CONNECT with \(tunnelStatus)"
        case .cannotConnect where hasUnknownProxy:
            name.map { "the proxy's host was not found: \($0)" } ?? CurlWords.malformedProxy
        case .cannotConnect where CurlWords.isOfProxyURL(text): CurlWords.malformedProxy
        case .cannotConnect where code == NK_PROXY_FAILED: "the proxy refused the connection"
        case .cannotConnect where code == NK_INTERFACE_FAILED: "the local interface can't be used"
        case .cannotConnect: unreached
        case .cannotFindHost: name
        case .notConnected: systemError == 0 ? nil : systemWords
        case .connectionLost where code == NK_GOT_NOTHING || code == NK_ABORTED_BY_CALLBACK:
            "the server closed the connection"
        // libcurl 7.88 has read the response then, and drops it.
        case .connectionLost where code == NK_HTTP2_STREAM && text.isEmpty:
            "the server answered before it had the whole body, and libcurl lost the answer, which HTTP/1.1 would keep"
        case .connectionLost, .truncatedResponse: systemError == 0 ? nil : systemWords
        // libcurl's word for a line above its limit of 100 KB; memory that ran out would end the process.
        case .malformedResponse where code == NK_OUT_OF_MEMORY || code == NK_TOO_LARGE:
            "its head is too large"
        case .malformedResponse where code == NK_BAD_CONTENT_ENCODING:
            text.hasPrefix("Unrecognized content encoding")
                ? "libcurl doesn't know its Content-Encoding" : "its compressed body is broken"
        // NetKit's own refusals have their reasons. These are of libcurl's decoders.
        case .malformedResponse where code == NK_WRITE_ERROR && hadHead:
            "its compressed body is broken, or other bytes follow it"
        case .unsupported where code == NK_OUT_OF_MEMORY || code == NK_TOO_LARGE:
            Self.largeHead
        case .secureConnection:
            code == NK_SSL_PINNEDPUBKEYNOTMATCH ? "the server's public key is not pinned" : tlsWords
        case .other: String(cString: nk_result_text(code))
        default: nil
        }
    }

    static let largeHead = "the head of the request is too large"

    private var systemWords: String { String(cString: strerror(systemError)).lowercased() }

    /// Which host and port can't be reached, and why.
    private var unreached: String? {
        let place =
            socketPath.map { "could not connect to the socket \($0)" }
            ?? CurlWords.peer(in: text)
            .map { host, port in
                let peer = "\(host) port \(port)"
                let variable =
                    proxiedURL.flatMap { ProxyVariable.name(to: host, port, for: $0) }
                    ?? (proxy?.host == String(host) ? "Configuration.proxy" : nil)
                guard let variable else { return "could not connect to \(peer)" }
                return "could not connect to the proxy \(peer) (\(variable))"
            }
        let cause =
            code == NK_OPERATION_TIMEDOUT
            ? "no connection in time" : systemError == 0 ? nil : systemWords
        guard let place, let cause else { return place ?? cause }
        return "\(place): \(cause)"
    }

    /// The name in `Could not resolve host: NAME`.
    private var name: String? { CurlWords.rest(of: text, after: ["host: ", "proxy: "]) }

    /// OpenSSL's reason in libcurl's words: `self-signed certificate` in `SSL certificate problem: self-signed certificate`.
    private var tlsWords: String? {
        text.isEmpty
            ? nil
            : CurlWords.rest(
                of: text,
                after: ["problem: ", "routines::", "SSL: "],
                orWhole: true
            )
    }
}

/// A result of libcurl, by its number and its words.
struct CurlCode: Error, Hashable, CustomStringConvertible {
    let code: Int

    var description: String { "libcurl \(code): \(String(cString: nk_result_text(code)))" }
}
