import Foundation
import Testing

@testable import NetKitTesting

@Suite("Request parser")
struct RequestParserTests {
    private static let stream =
        "\r\nGET /a?b=%2F#c HTTP/1.1\r\nHost: h\r\nx-MiXed:  v w \t\r\nX-Mixed:\r\n\r\n"
        + "POST /fixed HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab\r\nc"
        + "PUT * HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"
        + "3;x=y\r\n\r\n1\r\nA\r\n0123456789\r\n000\r\nX-Sum: 9\r\n\r\n"
        + "DELETE /end HTTP/1.0\r\n\r\n"
    private static let chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

    private struct Parsed {
        var head: RequestHead
        var body: Data
        var length: Int
        var trailers: [HeaderField]
    }

    /// What a stream of bytes amounts to, cut into portions.
    private func requests(
        in bytes: Data,
        portion: Int,
        keepingBodies keepsBodies: Bool = true
    ) throws -> [Parsed] {
        var parser = RequestParser()
        parser.keepsBody = keepsBodies
        var heads: [RequestHead] = []
        var requests: [Parsed] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            rest.prefix(portion).withUnsafeBytes { parser.append($0) }
            rest = rest.dropFirst(portion)
            while let event = try parser.next() {
                switch event {
                case .head(let head):
                    heads.append(head)
                case .complete(let body, let length, let trailers):
                    let head = heads[requests.count]
                    requests.append(
                        Parsed(head: head, body: body, length: length, trailers: trailers)
                    )
                }
            }
        }
        #expect(parser.isBetweenRequests)
        return requests
    }

    @Test(
        "parses pipelined requests the same, however they are split",
        arguments: [1, 2, 3, 7, 64, 9999]
    )
    func portions(size: Int) throws {
        let requests = try requests(in: Data(Self.stream.utf8), portion: size)
        #expect(requests.map(\.head.method) == ["GET", "POST", "PUT", "DELETE"])
        #expect(requests.map(\.head.target) == ["/a?b=%2F#c", "/fixed", "*", "/end"])
        #expect(requests.map(\.head.minorVersion) == [1, 1, 1, 0])
        #expect(
            requests[0].head.fields == [
                HeaderField(name: "Host", value: "h"), HeaderField(name: "x-MiXed", value: "v w"),
                HeaderField(name: "X-Mixed", value: ""),
            ]
        )
        let bodies = requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == ["", "ab\r\nc", "\r\n10123456789", ""])
        #expect(requests.map(\.length) == [0, 5, 13, 0])
        #expect(requests[2].trailers == [HeaderField(name: "X-Sum", value: "9")])
    }

    @Test("counts the bytes of discarded bodies")
    func discarding() throws {
        let stream = Data(Self.stream.utf8)
        let requests = try requests(in: stream, portion: 5, keepingBodies: false)
        #expect(requests.map(\.length) == [0, 5, 13, 0])
        #expect(requests.map(\.body) == Array(repeating: Data(), count: 4))
    }

    @Test("counts the arrived bytes of a body, also those that it hasn't parsed")
    func arrivedBodyLength() throws {
        func received(_ parsed: String, then rest: String) throws -> RequestParser {
            var parser = RequestParser()
            Data(parsed.utf8).withUnsafeBytes { parser.append($0) }
            while try parser.next() != nil {}
            Data(rest.utf8).withUnsafeBytes { parser.append($0) }
            return parser
        }
        let fixed = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n"
        for (head, parsed, rest, count) in [
            (fixed, "", "", 0), (fixed, "abc", "", 3), (fixed, "abc", "de", 5),
            (fixed, "abc", "defghi", 9), (fixed, "abc", "defghiGET /", 9),
            (Self.chunked, "3\r\nab", "", 2), (Self.chunked, "3\r\nab", "c\r\n4\r\nde", 5),
            (Self.chunked, "3\r\nab", "c\r\n0\r\n\r\n", 3), (Self.chunked, "3\r\nab", "cXX", 3),
        ] {
            let parser = try received(head + parsed, then: rest)
            #expect(parser.arrivedBodyLength == count, "\(parsed), \(rest)")
            // Counting leaves the body as it was.
            #expect(parser.bodyLength == parser.body.count)
        }
    }

    @Test(
        "rejects an invalid head with a reason",
        arguments: [
            ("GET /\r\nHost: h\r\n\r\n", "the request line has no three parts"),
            ("GET  / HTTP/1.1\r\nHost: h", "the target is empty or has control characters"),
            ("GET /\u{1} HTTP/1.1\r\nHost: h", "the target is empty or has control characters"),
            ("GET /a b HTTP/1.1\r\nHost: h", "the version is neither HTTP/1.1 nor HTTP/1.0"),
            ("GET / HTTP/2.0\r\nHost: h", "the version is neither HTTP/1.1 nor HTTP/1.0"),
            ("G(T / HTTP/1.1\r\nHost: h", "the method is not a token"),
            (" / HTTP/1.1\r\nHost: h", "the method is not a token"),
            ("GET / HTTP/1.1", "an HTTP/1.1 request has exactly one Host field"),
            (
                "GET / HTTP/1.1\r\nHost: h\r\nhost: i",
                "an HTTP/1.1 request has exactly one Host field"
            ),
            ("GET / HTTP/1.1\r\nHost: h\nX: y", "a line ends with a bare line feed"),
            ("GET / HTTP/1.1\r\nHost: h\r\nX : y", "a field name is not a token: X "),
            ("GET / HTTP/1.1\r\nHost: h\r\n: y", "a field name is not a token: "),
            ("GET / HTTP/1.1\r\nHost: h\r\nX: y\r\n z", "a field line has no colon"),
            ("GET / HTTP/1.1\r\nHost: h\r\nX: a\rb", "a field value has a control character"),
            ("GET / HTTP/1.1\r\nHost: h\r\nX: a\0b", "a field value has a control character"),
            (
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked",
                "both Transfer-Encoding and Content-Length"
            ),
            (
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 3",
                "Content-Length is not one number"
            ),
            (
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -3",
                "Content-Length is not one number"
            ),
            (
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999",
                "Content-Length is not one number"
            ),
            (
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked",
                "a transfer coding other than chunked"
            ),
        ]
    )
    func malformedHead(head: String, reason: String) {
        for portion in [1, 10_000] {
            #expect(throws: MalformedRequest(reason)) {
                _ = try requests(in: Data("\(head)\r\n\r\n".utf8), portion: portion)
            }
        }
    }

    @Test(
        "rejects invalid chunks with a reason",
        arguments: [
            ("xyz\r\n", "a chunk size that is not a hexadecimal number"),
            ("\r\n", "a chunk size that is not a hexadecimal number"),
            ("-1\r\n", "a chunk size that is not a hexadecimal number"),
            ("ffffffffffffffff\r\n", "a chunk size that is not a hexadecimal number"),
            ("1\r\nabc", "a chunk is longer than its size says"),
            ("0\r\nbad\r\n\r\n", "a field line has no colon"),
        ]
    )
    func malformedChunks(body: String, reason: String) {
        for portion in [1, 10_000] {
            #expect(throws: MalformedRequest(reason)) {
                _ = try requests(in: Data((Self.chunked + body).utf8), portion: portion)
            }
        }
    }

    @Test(
        "rejects endless heads, chunk sizes and trailers",
        arguments: [
            ("GET / HTTP/1.1\r\nX: ", "the head is longer than 1048576 bytes"),
            (chunked, "an endless chunk size"), (chunked + "0\r\n", "endless trailers"),
        ]
    )
    func endless(start: String, reason: String) {
        let bytes = Data(start.utf8) + Data(repeating: 48, count: 1_100_000)
        #expect(throws: MalformedRequest(reason)) {
            _ = try requests(in: bytes, portion: 50_000)
        }
    }

    @Test("decodes a field that isn't UTF-8 as Latin-1")
    func latin1() throws {
        var bytes = Data("GET / HTTP/1.1\r\nHost: h\r\nX: é\r\nY: ".utf8)
        bytes += [0xE9] + Data("\r\n\r\n".utf8)
        let requests = try requests(in: bytes, portion: 100)
        #expect(requests[0].head.values(of: "x") == ["é"])
        #expect(requests[0].head.values(of: "y") == ["é"])
    }

    @Test(
        "determines whether the client keeps the connection and expects a 100",
        arguments: [
            ("HTTP/1.1\r\nHost: h", true, false),
            ("HTTP/1.1\r\nHost: h\r\nConnection: x, Close", false, false),
            ("HTTP/1.0", false, false),
            ("HTTP/1.0\r\nconnection: Keep-Alive", true, false),
            ("HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue", true, true),
            ("HTTP/1.0\r\nExpect: 100-continue", false, false),
        ]
    )
    func wishes(rest: String, keepsAlive: Bool, expectsContinue: Bool) throws {
        let head = try requests(in: Data("GET / \(rest)\r\n\r\n".utf8), portion: 99)[0].head
        #expect(head.keepsAlive == keepsAlive)
        #expect(head.expectsContinue == expectsContinue)
    }
}
