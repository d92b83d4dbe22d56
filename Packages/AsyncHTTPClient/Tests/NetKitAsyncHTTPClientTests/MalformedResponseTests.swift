import Foundation
import NetKit
import NetKitAsyncHTTPClient
import NetKitTesting
import Testing

@Suite("Unusual responses over AsyncHTTPClient", .timeLimit(.minutes(15)))
struct MalformedResponseTests {
    @Test(
        "fails with a typed error for a status below 100",
        arguments: ["000", "001", "042", "099"],
        ["Content-Length: 2\r\n\r\nok", "Content-Length: 0\r\n\r\n", "\r\nuntil the end"]
    )
    func status(code: String, rest: String) async throws {
        let answer = Array("HTTP/1.1 \(code) X\r\n\(rest)".utf8)
        let server = try await ScriptedServer { _ in { _ in .init(pieces: [answer], closes: true) }
        }
        let (recorder, exchange) = send("http://127.0.0.1:\(server.port)/")
        #expect(await recorder.finished() == .failed(.malformedResponse))
        #expect(recorder.head == nil)
        withExtendedLifetime((server, exchange)) {}
    }

    @Test(
        "fails with a typed error for an invalid HTTP/2 status",
        arguments: [
            "000", "099", "-1", "-99", "1", "10", "0200", "+20", "1000", "20x", "", "٢٠٠",
            "99999999999999999999",
        ]
    )
    func statusOfHTTP2(code: String) async throws {
        let server = try await HTTP2Server { _, frame in
            guard frame.isHeaders else { return [] }
            return [
                HTTP2Bytes.headers(status: code, stream: frame.stream, ends: false),
                HTTP2Bytes.data("ok", stream: frame.stream, ends: true),
            ]
        }
        let (recorder, exchange) = send(server.url, over: try await HTTP2Server.transport())
        #expect(await recorder.finished() == .failed(.malformedResponse))
        #expect(recorder.head == nil)
        withExtendedLifetime((server, exchange)) {}
    }

    @Test(
        "fails with a typed error for any transfer coding but chunked",
        arguments: [
            "gzip", "gzip, chunked", "chunked, gzip", "foo, chunked", "xchunked", "chunkedx",
            "chunked, chunked", "chunked;a=b", "chunked,", "identity", "",
        ],
        ["HTTP/1.1", "HTTP/1.0"]
    )
    func transferCoding(coding: String, version: String) async throws {
        let head = "\(version) 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n"
        let answer = Array("\(head)2\r\nok\r\n0\r\n\r\n".utf8)
        let server = try await ScriptedServer { _ in { _ in .init(pieces: [answer], closes: true) }
        }
        let (recorder, exchange) = send("http://127.0.0.1:\(server.port)/")
        #expect(await recorder.finished() == .failed(.malformedResponse))
        #expect(recorder.head == nil)
        #expect(
            recorder.error?.reason
                == "the response's transfer coding is \"\(coding)\", not \"chunked\""
        )
        withExtendedLifetime((server, exchange)) {}
    }

    @Test(
        "reads transfer codings of all fields together, in any case",
        arguments: [
            ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", false),
            ("Transfer-Encoding: chunked\r\ntransfer-encoding: chunked\r\n", false),
            ("transfer-encoding: CHUNKED\r\n", true), ("Transfer-Encoding: \t chunked  \r\n", true),
            // SwiftNIO would read these chunks as the body.
            ("Transfer-Encoding: chunked\t\r\n", false),
        ]
    )
    func transferCodings(fields: String, isWhole: Bool) async throws {
        let answer = Array("HTTP/1.1 200 OK\r\n\(fields)\r\n2\r\nok\r\n0\r\n\r\n".utf8)
        let server = try await ScriptedServer { _ in { _ in .init(pieces: [answer], closes: true) }
        }
        let (recorder, exchange) = send("http://127.0.0.1:\(server.port)/")
        #expect(await recorder.finished() == (isWhole ? .whole : .failed(.malformedResponse)))
        #expect(recorder.body == Data((isWhole ? "ok" : "").utf8))
        withExtendedLifetime((server, exchange)) {}
    }

    @Test(
        "accepts any transfer coding of a response without a body",
        arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)] as [(HTTPMethod, Int)],
        ["gzip, chunked", "gzip"]
    )
    func transferCodingWithoutBody(
        exchange: (method: HTTPMethod, status: Int),
        coding: String
    )
        async throws
    {
        let answer = Array(
            "HTTP/1.1 \(exchange.status) X\r\nTransfer-Encoding: \(coding)\r\n\r\n".utf8
        )
        let server = try await ScriptedServer { _ in { _ in .init(pieces: [answer]) } }
        let (recorder, sent) = send("http://127.0.0.1:\(server.port)/", exchange.method)
        #expect(await recorder.finished() == .whole)
        #expect(recorder.head?.status.rawValue == exchange.status)
        withExtendedLifetime((server, sent)) {}
    }

    @Test("is complete after any number of informational responses")
    func informational() async throws {
        let flood = String(
            repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
            count: 5_000
        )
        let answer = Array((flood + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").utf8)
        let server = try await ScriptedServer { _ in { _ in .init(pieces: [answer]) } }
        let (recorder, exchange) = send("http://127.0.0.1:\(server.port)/")
        #expect(await recorder.finished() == .whole)
        #expect(recorder.body == Data("ok".utf8))
        withExtendedLifetime((server, exchange)) {}
    }

    @Test("survives SETTINGS that change while idle")
    func settingsWhileIdle() async throws {
        let server = try await HTTP2Server { _, frame in
            guard frame.isHeaders else { return [] }
            let answer = HTTP2Bytes.headers(status: "204", stream: frame.stream, ends: true)
            return [answer] + (5...7).map { HTTP2Bytes.frame(4, [0, 3, 0, 0, 0, $0]) }
        }
        let transport = try await HTTP2Server.transport()
        for _ in 0..<20 {
            let (recorder, exchange) = send(server.url, over: transport)
            #expect(await recorder.finished() == .whole)
            withExtendedLifetime(exchange) {}
        }
        #expect(server.accepted == 1)
    }

    @Test(
        "survives SETTINGS and GOAWAY at once, with or without a pinned key",
        arguments: [nil, "server", "client"]
    )
    func settingsAndGoAway(pin: String?) async throws {
        let preface =
            HTTP2Bytes.settings + HTTP2Bytes.frame(4, [0, 3, 0, 0, 0, 7])
            + HTTP2Bytes.goAway(last: 0)
        let server = try await HTTP2Server(preface: [preface]) { connection, frame in
            guard connection > 0, frame.isHeaders else { return [] }
            return [HTTP2Bytes.headers(status: "204", stream: frame.stream, ends: true)]
        }
        var pins: Set<PublicKeyPin> = []
        if let pin { pins.insert(try await HTTP2Server.pin(pin)) }
        let transport = try await HTTP2Server.transport { [pins] in
            $0.tls.pinnedPublicKeys = pins
        }
        let (recorder, exchange) = send(server.url, over: transport)
        let isRefused = pin == "client"
        #expect(await recorder.finished() == (isRefused ? .failed(.secureConnection) : .whole))
        #expect(isRefused || server.accepted == 2)
        withExtendedLifetime(exchange) {}
    }
}
