import Foundation
@_spi(Transports) import NetKit
import Testing

@testable import NetKitCurl

@Suite("Heads from libcurl")
struct CurlResponseReaderTests {
    private enum Read: Equatable {
        case nothing
        case head(Int, [String])
        case refused(String)
    }

    private func read(_ lines: [String]) -> Read {
        var reader = CurlResponseReader()
        var result = Read.nothing
        for line in lines {
            let verdict = Array("\(line)\r\n".utf8).withUnsafeBytes { reader.take($0) }
            switch verdict {
            case .more: break
            case .head:
                let head = reader.head
                result = .head(head.status.rawValue, head.headers.map { "\($0.name)=\($0.value)" })
            case .refused(let reason): return .refused(reason)
            }
        }
        return result
    }

    @Test("have at most 256 combining marks in a row, which Swift takes minutes to compare")
    func marks() {
        let value = "a" + String(repeating: "\u{301}", count: 256)
        #expect(read(["HTTP/1.1 200", "A: \(value)", ""]) == .head(200, ["A=\(value)"]))
        let reason = "the value of a field has too many combining marks in a row"
        for lines in [["A: \(value)\u{316}"], ["A: 1", " \(value)\u{316}"]] {
            #expect(read(["HTTP/1.1 200"] + lines) == .refused(reason))
        }
    }

    @Test(
        "escape the bytes of a Location that isn't UTF-8",
        arguments: [
            ("/caf\u{E9}?x", String.Encoding.isoLatin1, "/caf%E9?x"),
            ("/caf\u{E9}?x", .utf8, "/caf\u{E9}?x"),
        ]
    )
    func location(value: String, encoding: String.Encoding, shown: String) throws {
        var reader = CurlResponseReader()
        for line in ["HTTP/1.1 302", "LOCATION: \(value)", ""] {
            let bytes = try #require("\(line)\r\n".data(using: encoding))
            _ = bytes.withUnsafeBytes { reader.take($0) }
        }
        #expect(reader.head.headers[.location] == shown)
        #expect(reader.head.headers.values(for: .location) == [shown])
    }

    @Test("have a status and fields, after any number of informational heads, and before trailers")
    func heads() {
        #expect(
            read(["HTTP/1.1 200 OK", "A: 1", "b:2 \t", "A:", ""])
                == .head(200, ["A=1", "b=2", "A="])
        )
        #expect(read(["HTTP/2 404 ", "a: 1", ""]) == .head(404, ["a=1"]))
        #expect(
            read(["HTTP/1.1 200", "A: 1", "  2 ", "\t3", "B:", " 4", "C: 5", ""])
                == .head(200, ["A=1 2 3", "B=4", "C=5"])
        )
        #expect(
            read(["HTTP/1.1 200", "A: 1", " ", "\t", " 2", "B:", " ", ""])
                == .head(200, ["A=1 2", "B="])
        )
        #expect(
            read(["HTTP/1.1 103", "Link: x", "", "HTTP/1.1 100 C", "", "HTTP/1.0 200", ""])
                == .head(200, [])
        )
        #expect(read(["HTTP/1.1 101 Switching", "Upgrade: x", ""]) == .head(101, ["Upgrade=x"]))
        #expect(read(["HTTP/1.1 200", "", "Checksum: 1", "no field"]) == .head(200, []))
        #expect(
            read(["HTTP/1.1 200", "Content-Length: 5", "Content-Length: 5", ""])
                == .head(200, ["Content-Length=5", "Content-Length=5"])
        )
        #expect(
            read(["HTTP/1.1 200", "Content-Length: 5, 5", ""])
                == .head(200, ["Content-Length=5, 5"])
        )
    }

    @Test("have fields that are found in any case, with all values of a name in order")
    func lookup() {
        var reader = CurlResponseReader()
        let lines = [
            "HTTP/1.1 200", "Server: a", "Set-Cookie: a=1", "VARY: x", "set-cookie: b=2, 3",
            "Vary: y", "",
        ]
        for line in lines {
            let verdict = Array("\(line)\r\n".utf8).withUnsafeBytes { reader.take($0) }
            guard case .head = verdict else { continue }
            var head = reader.head
            #expect(head.headers["server"] == "a")
            #expect(head.headers["vary"] == "x, y")
            #expect(head.headers.values(for: "Vary") == ["x", "y"])
            #expect(head.headers[.setCookie] == "a=1")
            #expect(head.headers.values(for: .setCookie) == ["a=1", "b=2, 3"])
            #expect(head.headers["Serve"] == nil)
            let names = lines[1...5].map { "\($0.prefix { $0 != ":" })" }
            #expect(head.headers.map(\.name.rawName) == names)
            head.headers["Server"] = "b"
            #expect(head.headers["SERVER"] == "b")
            #expect(head.headers.values(for: "vary") == ["x", "y"])
        }
        #expect(reader.hasHead)
    }

    @Test(
        "that other engines refuse are refused",
        arguments: [
            (["HTTP/1.1 20 OK"], "status"), (["HTTP/1.1 2000 OK"], "status"),
            (["HTTP/1.1 abc"], "status"),
            (["HTTP/1.1 099 OK"], "status"), (["HTTP/1.1 000 OK"], "status"),
            (["HTTP/1.1"], "status"),
            (["A: 1", ""], "status"),
            (["HTTP/x.y 200 OK"], "version"), (["HTTP/ 200 OK"], "version"),
            (["HTTP/.1 200 OK"], "version"), (["HTTP/11 200 OK"], "version"),
            (["HTTP/1.1 200", "\tA: 1"], "folded"), ([" A: 1"], "folded"),
            (["HTTP/1.1 200", "Content-Length: 1", " 0"], "folded"),
            (["HTTP/1.1 200", "Transfer-Encoding:", " chunked"], "folded"),
            (["HTTP/1.1 200", "A: 1", " 2\0"], "control"),
            (["HTTP/1.1 200", "A: 1", "HTTP/1.1 201", ""], "field"),
            (["HTTP/1.1 200", "no field"], "field"), (["HTTP/1.1 200", ": 1"], "field"),
            (["HTTP/1.1 200", "A : 1"], "field"), (["HTTP/1.1 200", "Ä: 1"], "field"),
            (["HTTP/1.1 200", "A: 1\rB: 2"], "control"), (["HTTP/1.1 200", "A: 1\0"], "control"),
            (["HTTP/1.1 200", "Content-Length: 5", "Content-Length: 6"], "lengths"),
            (["HTTP/1.1 200", "Content-Length: 5, 6"], "lengths"),
            (["HTTP/1.1 200", "Content-Length: -1"], "lengths"),
            (["HTTP/1.1 200", "Content-Length: 9223372036854775808"], "lengths"),
            (["HTTP/1.1 200", "Content-Length: "], "lengths"),
            (
                ["HTTP/1.1 200", "Content-Length: 5", "Transfer-Encoding: chunked", ""],
                "transfer coding"
            ),
        ]
    )
    func refusals(lines: [String], word: String) {
        guard case .refused(let reason) = read(lines) else {
            Issue.record("\(lines) was read")
            return
        }
        #expect(reason.contains(word))
    }

    @Test("have a bound, over all informational heads and trailers")
    func bound() {
        let many = Array(
            repeating: ["HTTP/1.1 100 Continue", "A: \(String(repeating: "a", count: 4_000))", ""],
            count: 200
        )
        guard case .refused(let reason) = read(many.flatMap(\.self)) else {
            Issue.record("they were read")
            return
        }
        #expect(reason.contains("too large"))
        let trailers = Array(repeating: "A: \(String(repeating: "a", count: 4_000))", count: 200)
        #expect(read(["HTTP/1.1 200", ""] + trailers) == .refused("its head is too large"))
    }
}

@Suite("Keep-Alive")
struct CurlKeepAliveTests {
    @Test(
        "has the seconds of its timeout",
        arguments: [
            ("timeout=5", 5), ("timeout=5, max=100", 5), ("max=1,Timeout = 7", 7), ("timeout=0", 0),
            ("timeout=-1", nil), ("timeout=x", nil), ("max=5", nil), ("", nil), ("timeout", nil),
            ("timeout=99999999999999999999", nil), ("timeout=4000000000", 1 << 20),
        ]
    )
    func timeout(field: String, seconds: Int?) {
        #expect(KeepAliveField.timeout(in: [field]) == seconds)
    }
}

@Suite("Failures of libcurl")
struct CurlFailureTests {
    @Test(
        "have the kind that the other engines give them",
        arguments: [
            (6, 0, "Could not resolve host: x.invalid", false, TransportError.Kind.cannotFindHost),
            (7, 111, "Failed to connect", false, .cannotConnect),
            (7, 101, "", false, .notConnected),
            (28, 0, "Connection timed out", false, .cannotConnect),
            (52, 0, "Empty reply from server", false, .connectionLost),
            (56, 104, "Recv failure: Connection reset by peer", false, .connectionLost),
            (56, 104, "Recv failure: Connection reset by peer", true, .truncatedResponse),
            (18, 0, "transfer closed with 5 bytes remaining to read", true, .truncatedResponse),
            (56, 0, "chunk hex-length char not a hex digit: 0x7a", true, .malformedResponse),
            (8, 0, "Nul byte in header", false, .malformedResponse),
            (43, 0, "", false, .malformedResponse),
            // Of which libcurl 8.10 to 8.13 has the code of an unknown host.
            (6, 0, "Could not resolve proxy: x.invalid", false, .cannotConnect),
            (5, 0, "Could not resolve proxy: x.invalid", false, .cannotConnect),
            (61, 0, "Error while processing content unencoding", true, .malformedResponse),
            (60, 0, "SSL certificate problem: self-signed certificate", false, .secureConnection),
            (35, 0, "error:0A00010B:SSL routines::wrong version number", false, .secureConnection),
            (56, 0, Self.alert, false, .secureConnection),
            (55, 0, Self.alert, true, .truncatedResponse),
            (90, 0, "SSL: public key does not match pinned public key!", false, .secureConnection),
            (42, 0, "operation aborted by pre-request callback", false, .connectionLost),
            (16, 0, "Error in the HTTP2 framing layer", false, .connectionLost),
            (3, 0, "URL using bad/illegal format or missing URL", false, .unsupported),
            (27, 0, "Out of memory", false, .malformedResponse),
            (27, 0, "Out of memory", true, .other), (100, 0, "", false, .malformedResponse),
        ] as [(Int, Int32, String, Bool, TransportError.Kind)]
    )
    func kinds(code: Int, errno: Int32, text: String, hadHead: Bool, kind: TransportError.Kind) {
        let failure = CurlFailure(code: code, systemError: errno, text: text, hadHead: hadHead)
        #expect(failure.kind == kind)
    }

    private static let alert =
        "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0"

    @Test("before the request is sent are those of a proxy, and never a lost connection")
    func tunnels() {
        func error(_ code: Int, wasSent: Bool, _ status: Int) -> TransportError {
            CurlFailure(
                code: code,
                systemError: 0,
                text: "",
                wasSent: wasSent,
                hadHead: false,
                tunnelStatus: status
            )
            .error
        }
        #expect(error(56, wasSent: false, 407).kind == .cannotConnect)
        #expect(error(56, wasSent: false, 407).message == "the proxy answered CONNECT with 407")
        #expect(error(56, wasSent: false, 0).kind == .cannotConnect)
        #expect(error(56, wasSent: true, 0).kind == .connectionLost)
        #expect(error(56, wasSent: true, 200).kind == .connectionLost)
        #expect(error(35, wasSent: false, 200).kind == .secureConnection)
        #expect(error(4, wasSent: false, 0).kind == .unsupported)
        // A client's key that libcurl from 8.16 on can't use.
        #expect(error(43, wasSent: false, 0).kind == .secureConnection)
    }

    @Test("say what is wrong with a compressed body")
    func compressedBodies() {
        func reason(_ code: Int, _ text: String) -> String? {
            CurlFailure(code: code, systemError: 0, text: text, hadHead: true).reason
        }
        let unknown = "Unrecognized content encoding type. libcurl understands deflate, gzip, br"
        #expect(reason(61, unknown) == "libcurl doesn't know its Content-Encoding")
        let broken = "Error while processing content unencoding: incorrect header check"
        #expect(reason(61, broken) == "its compressed body is broken")
        let written = "Failed writing received data to disk/application"
        #expect(reason(23, written) == "its compressed body is broken, or other bytes follow it")
    }

    @Test("say why in the words of the system or of TLS, and nothing that the server sent")
    func reasons() {
        func message(_ code: Int, _ errno: Int32, _ text: String) -> String {
            CurlFailure(code: code, systemError: errno, text: text, hadHead: false).error.message
        }
        #expect(message(7, 111, "Failed") == "connection refused")
        let syntax = "Unsupported proxy syntax in 'http://me:s3cret#x@proxy.test:1'"
        #expect(message(5, 0, syntax) == "the proxy's URL is malformed")
        let scheme = "Unsupported proxy scheme for 'ftp://me:s3cret@proxy.test:1'"
        #expect(message(7, 0, scheme) == "the proxy's URL is malformed")
        let refused = "Failed to connect to 127.0.0.1 port 9 after 0 ms: Couldn't connect to server"
        #expect(
            message(7, 111, refused) == "could not connect to 127.0.0.1 port 9: connection refused"
        )
        let earlier = "Failed to connect to ::1 port 9: Connection refused"
        #expect(message(7, 0, earlier) == "could not connect to ::1 port 9")
        let proxied = "Failed to connect to a.test port 443 via proxy.test after 1 ms: refused"
        #expect(message(7, 111, proxied) == "connection refused")
        #expect(message(7, 0, refused) == "could not connect to 127.0.0.1 port 9")
        var failure = CurlFailure(code: 7, systemError: 111, text: refused, hadHead: false)
        failure.proxy = URL(string: "socks5://127.0.0.1:9")
        #expect(
            failure.error.message
                == "could not connect to the proxy 127.0.0.1 port 9 (Configuration.proxy): connection refused"
        )
        failure.socketPath = "/var/run/docker.sock"
        #expect(
            failure.error.message
                == "could not connect to the socket /var/run/docker.sock: connection refused"
        )
        #expect(message(56, 0, Self.alert).contains("alert certificate required"))
        #expect(message(42, 0, "").contains("the server closed the connection"))
        #expect(message(92, 0, "").contains("answered before it had the whole body"))
        #expect(!message(92, 0, "HTTP/2 stream 1 was not closed cleanly").contains("answered"))
        #expect(
            message(28, 0, refused)
                == "could not connect to 127.0.0.1 port 9: no connection in time"
        )
        #expect(
            message(6, 0, "Could not resolve host: nest.invalid") == "host not found: nest.invalid"
        )
        #expect(
            message(5, 0, "Could not resolve proxy: proxy.invalid")
                == "the proxy's host was not found: proxy.invalid"
        )
        #expect(
            message(60, 0, "SSL certificate problem: certificate has expired")
                == "TLS handshake failed: certificate has expired"
        )
        #expect(
            message(52, 0, "Empty reply") == "connection lost: the server closed the connection"
        )
        #expect(message(8, 0, "secret from the server") == "malformed HTTP response")
    }
}
