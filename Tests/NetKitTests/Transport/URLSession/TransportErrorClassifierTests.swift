import Foundation
import Testing

@testable import NetKit

@Suite("Transport error classifier")
struct TransportErrorClassifierTests {
    @Test(
        "uses the code, or libcurl's text when the code is ambiguous",
        arguments: [
            (-1003, "", false, TransportError.Kind.cannotFindHost),
            (-1001, "Connection timed out after 300000 milliseconds", false, .cannotConnect),
            (-1001, "Resolving timed out after 300000 milliseconds", false, .cannotFindHost),
            (-1004, "", false, .cannotConnect),
            (-1005, "", false, .connectionLost),
            (-1005, "", true, .truncatedResponse),
            (-1009, "", false, .notConnected),
            (-1011, "Empty reply from server", false, .connectionLost),
            (-1202, "", false, .secureConnection),
            (-1002, "", false, .unsupported),
            (-1, "transfer closed with 95 bytes remaining to read", true, .truncatedResponse),
            (-1, "transfer closed with outstanding read data remaining", true, .truncatedResponse),
            (-1, "Send failure: Broken pipe", false, .connectionLost),
            (-1, "Recv failure: Connection reset by peer", true, .truncatedResponse),
            (-1, "Error in the HTTP2 framing layer", false, .connectionLost),
            (-1, "Error in the HTTP2 framing layer", true, .truncatedResponse),
            (-1, "Failed writing header", false, .malformedResponse),
            (-1, "SSL certificate problem: self-signed certificate", false, .secureConnection),
            (-1, "Could not resolve host: ssl.test", false, .cannotFindHost),
            (-1, "Failed to connect to tls.test port 443: Timeout", false, .cannotConnect),
            (
                -1, "Illegal or missing hexadecimal sequence in chunked-encoding", true,
                .malformedResponse
            ),
            (-1, "CONNECT tunnel failed, response 407", false, .cannotConnect),
            (-1, "Proxy CONNECT aborted", false, .cannotConnect),
            (-1, "Can't complete SOCKS5 connection to a.test. (5)", false, .cannotConnect),
            (
                -1, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to socks5.test:443",
                false,
                .secureConnection
            ),
            (
                -1,
                "SSL: no alternative certificate subject name matches target host name 'socks5.test'",
                false, .secureConnection
            ),
            (-1002, "Received HTTP/0.9 when not allowed", false, .malformedResponse),
            (-1, "something new", false, .other),
            (-999, "", false, .other),
        ]
    )
    func kinds(code: Int, text: String, hadHead: Bool, expected: TransportError.Kind) {
        let info = [NSLocalizedDescriptionKey: text]
        let error = NSError(domain: NSURLErrorDomain, code: code, userInfo: info)
        #expect(TransportErrorClassifier.kind(of: error, hadHead: hadHead) == expected)
    }

    #if canImport(FoundationNetworking)
    @Test(
        "takes the reason from libcurl's text, unless it may quote the server",
        arguments: [
            (
                "Could not resolve host: nest.invalid", TransportError.Kind.cannotFindHost,
                "nest.invalid"
            ),
            (
                "Failed to connect to 127.0.0.1 port 9 after 0 ms: Couldn't connect to server",
                .cannotConnect, "could not connect to 127.0.0.1 port 9"
            ),
            ("Failed to connect", .cannotConnect, nil),
            (
                "SSL certificate problem: certificate has expired", .secureConnection,
                "certificate has expired"
            ),
            (
                "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number",
                .secureConnection, "wrong version number"
            ),
            ("Empty reply from server", .connectionLost, "empty reply from server"),
            (
                "Received HTTP code 407 from proxy after CONNECT", .cannotConnect,
                "the proxy answered CONNECT with 407"
            ),
            ("Proxy CONNECT aborted", .cannotConnect, "the proxy closed the connection"),
            (
                "Can't complete SOCKS5 connection to a.test. (5)", .cannotConnect,
                "the proxy refused the connection"
            ),
            ("Header without colon: SECRET", .malformedResponse, nil), ("", .connectionLost, nil),
        ] as [(String, TransportError.Kind, String?)]
    )
    func reasons(text: String, kind: TransportError.Kind, expected: String?) throws {
        let info = [NSLocalizedDescriptionKey: text]
        let error = NSError(domain: NSURLErrorDomain, code: -1, userInfo: info)
        let url = try #require(URL(string: "http://127.0.0.1:9/x"))
        #expect(TransportErrorClassifier.reason(of: error, kind, for: url) == expected)
    }
    #endif

    @Test("ignores other error domains")
    func otherDomain() {
        let error = NSError(domain: "x", code: -1003)
        #expect(TransportErrorClassifier.kind(of: error, hadHead: false) == .other)
    }
}
