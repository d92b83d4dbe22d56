import Foundation
import Testing

@testable import NetKitTesting

@Suite("Response script")
struct ResponseScriptTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let plain = "Content-Type: text/plain; charset=utf-8\r\n"
    private static let chunked = "\(ok)Transfer-Encoding: chunked\r\n\r\n"
    private static let empty = "\(ok)Content-Length: 0\r\n\r\n"

    private static func bytes(_ text: String) -> MockResponse {
        .data(Data(text.utf8), contentType: nil)
    }

    private static func chunks(_ texts: String..., every interval: Duration = .zero) -> MockResponse
    {
        .chunked(texts.map { Data($0.utf8) }, every: interval)
    }

    /// The steps as text, up to the one that ends the response.
    private func steps(
        _ response: MockResponse,
        to request: MockResponseHead.Request = .init()
    ) -> [String] {
        var script = ResponseScript(response, to: request)
        var steps: [String] = []
        while steps.count < 100 {
            switch script.next() {
            case .write(let data): steps.append(String(decoding: data, as: UTF8.self))
            case .pause(let duration): steps.append("pause \(duration)")
            case .stall: return steps + ["stall"]
            case .close(let reset): return steps + [reset ? "reset" : "close"]
            case .finish(let keepsAlive): return steps + [keepsAlive ? "keep" : "end"]
            }
        }
        return steps
    }

    private static let onePieceTable: [(MockResponse, String)] = [
        (MockResponse.text("hi"), "\(ok)\(plain)Content-Length: 2\r\n\r\nhi"),
        (
            .text("", status: 404),
            "HTTP/1.1 404 Not Found\r\n\(plain)Content-Length: 0\r\n\r\n"
        ),
        (.status(204), "HTTP/1.1 204 No Content\r\n\r\n"),
        (.text("ignored", status: 304), "HTTP/1.1 304 Not Modified\r\n\r\n"),
        (.status(205), "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n"),
        (.status(599), "HTTP/1.1 599 Status\r\nContent-Length: 0\r\n\r\n"),
        (.status(200, reason: "Fine"), "HTTP/1.1 200 Fine\r\nContent-Length: 0\r\n\r\n"),
        (
            .json(text: "{}").header("content-type", "a/b").header("X", "1").header("X", "2"),
            "\(ok)Content-Length: 2\r\ncontent-type: a/b\r\nX: 1\r\nX: 2\r\n\r\n{}"
        ),
        (bytes("ab").header("Content-Length", "9"), "\(ok)Content-Length: 9\r\n\r\nab"),
        (
            .redirect(to: "../x", status: 308),
            "HTTP/1.1 308 Permanent Redirect\r\nContent-Length: 0\r\nLocation: ../x\r\n\r\n"
        ),
        (
            .status(200).informational([103, 100], headers: [("X", "x")]),
            "HTTP/1.1 103 Early Hints\r\nX: x\r\n\r\nHTTP/1.1 100 Continue\r\nX: x\r\n\r\n\(empty)"
        ),
        (
            chunks("abc", "", "0123456789"),
            "\(chunked)3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n"
        ),
        (chunks(), "\(chunked)0\r\n\r\n"),
        (
            bytes("ab").trailers([("A", "9"), ("B", "")]),
            "\(ok)Transfer-Encoding: chunked\r\nTrailer: A, B\r\n\r\n2\r\nab\r\n0\r\nA: 9\r\nB: \r\n\r\n"
        ),
        (
            bytes("ab").trailers([("X", "9")], announced: false),
            "\(chunked)2\r\nab\r\n0\r\nX: 9\r\n\r\n"
        ),
        (.raw(Data("??".utf8), closesConnection: false), "??"),
    ]

    @Test("writes a response in one piece", arguments: onePieceTable)
    func onePiece(response: MockResponse, bytes: String) {
        #expect(steps(response) == [bytes, "keep"])
    }

    @Test("sends the head without the body in response to HEAD")
    func head() {
        let head = MockResponseHead.Request(isHead: true)
        let text = Self.ok + Self.plain + "Content-Length: 2\r\n\r\n"
        #expect(steps(.text("hi"), to: head) == [text, "keep"])
        #expect(steps(Self.chunks("a"), to: head) == [Self.chunked, "keep"])
    }

    @Test(
        "announces whether the connection stays open, and sends no chunks over HTTP/1.0",
        arguments: [
            (bytes(""), true, true, "Content-Length: 0\r\nConnection: keep-alive\r\n\r\n", "keep"),
            (bytes(""), true, false, "Content-Length: 0\r\nConnection: close\r\n\r\n", "end"),
            (chunks("a"), true, true, "Connection: close\r\n\r\na", "end"),
            (bytes(""), false, false, "Content-Length: 0\r\nConnection: close\r\n\r\n", "end"),
        ]
    )
    func connection(
        response: MockResponse,
        isHTTP10: Bool,
        keepsAlive: Bool,
        rest: String,
        ending: String
    ) {
        let request = MockResponseHead.Request(isHTTP10: isHTTP10, keepsAlive: keepsAlive)
        #expect(steps(response, to: request) == [Self.ok + rest, ending])
    }

    private static let endingsTable: [(MockResponse, [String])] = [
        (
            bytes("").closingConnection(),
            ["\(ok)Content-Length: 0\r\nConnection: close\r\n\r\n", "end"]
        ),
        (bytes("ab").delimitedByClose(), ["\(ok)Connection: close\r\n\r\nab", "end"]),
        (.raw(Data("x".utf8)), ["x", "end"]),
        (.fault(.closeBeforeHead), ["close"]), (.fault(.resetBeforeHead), ["reset"]),
        (.fault(.stall), ["stall"]),
        (.fault(.closeReusedConnection(.afterBody, reset: true)), ["reset"]),
        (.fault(.closeBeforeHead).delayed(by: .seconds(1)), ["pause 1.0 seconds", "close"]),
        (.raw(Data("abc".utf8)).cutting(afterBodyBytes: 2), ["ab", "close"]),
        (chunks("ab").cutting(afterBodyBytes: 0), [chunked, "close"]),
        (chunks("abcd").stalling(afterBodyBytes: 2), ["\(chunked)4\r\nab", "stall"]),
        (chunks("ab").stalling(afterBodyBytes: 9), ["\(chunked)2\r\nab\r\n", "stall"]),
        (bytes("ab").stalling(afterBodyBytes: 1), ["\(ok)Content-Length: 2\r\n\r\na", "stall"]),
        // The client has the whole response, and may use the connection again.
        (bytes("ab").stalling(afterBodyBytes: 2), ["\(ok)Content-Length: 2\r\n\r\nab", "keep"]),
        (MockResponse.status(200).stalling(afterBodyBytes: 0), [empty, "keep"]),
        (
            bytes("ab").delimitedByClose().stalling(afterBodyBytes: 9),
            ["\(ok)Connection: close\r\n\r\nab", "stall"]
        ),
        (
            chunks("abcd").cutting(afterBodyBytes: 3, reset: true)
                .dripping(bytes: 2, every: .seconds(1)),
            ["\(chunked)2\r\nab\r\n", "pause 1.0 seconds", "2\r\nc", "reset"]
        ),
    ]

    @Test("ends a response as configured", arguments: endingsTable)
    func endings(response: MockResponse, expected: [String]) {
        #expect(steps(response) == expected)
    }

    private static let paceTable: [(MockResponse, [String])] = [
        (
            MockResponse.status(200).delayed(by: .milliseconds(5)).informational([103]),
            ["HTTP/1.1 103 Early Hints\r\n\r\n", "pause 0.005 seconds", empty, "keep"]
        ),
        (
            chunks("a", "b", every: .seconds(2)),
            ["\(chunked)1\r\na\r\n", "pause 2.0 seconds", "1\r\nb\r\n", "0\r\n\r\n", "keep"]
        ),
        (
            bytes("abcde").dripping(bytes: 2, every: .seconds(1)),
            [
                "\(ok)Content-Length: 5\r\n\r\nab", "pause 1.0 seconds", "cd",
                "pause 1.0 seconds", "e", "keep",
            ]
        ),
        (
            bytes("abc").throttled(bytesPerSecond: 100),
            ["\(ok)Content-Length: 3\r\n\r\nab", "pause 0.02 seconds", "c", "keep"]
        ),
        (
            bytes("abc").throttled(bytesPerSecond: .max),
            ["\(ok)Content-Length: 3\r\n\r\nabc", "keep"]
        ),
    ]

    @Test("paces a response as configured", arguments: paceTable)
    func pace(response: MockResponse, expected: [String]) {
        #expect(steps(response) == expected)
    }

    @Test("splits a large body into portions without losing a byte")
    func largeBody() {
        let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        for response in [MockResponse.data(body), .raw(body), .chunked([body, body.prefix(7)])] {
            var script = ResponseScript(response, to: .init())
            var written = Data()
            while case .write(let data) = script.next() { written += data }
            let isChunked = written.range(of: Data("chunked".utf8)) != nil
            #expect(written.range(of: body) != nil)
            #expect(written.suffix(5) == (isChunked ? Data("0\r\n\r\n".utf8) : body.suffix(5)))
        }
    }
}
