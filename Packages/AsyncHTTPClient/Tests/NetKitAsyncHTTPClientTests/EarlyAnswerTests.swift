import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NetKit
import NetKitAsyncHTTPClient
import NetKitTesting
import Testing

@Suite("Early response during an upload over AsyncHTTPClient", .timeLimit(.minutes(15)))
struct EarlyAnswerTests {
    /// How a body without bytes may be announced.
    private static let framings = [
        "Content-Length: 0\r\n\r\n", "Content-Length: 4\r\n\r\nlong",
        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n4\r\nlong\r\n|0\r\n\r\n",
    ]

    /// Sends so many bytes that only an answer ends the exchange.
    private func upload(
        _ length: Int64,
        to url: String,
        over transport: AsyncHTTPClientTransport = AsyncHTTPClientTransport(),
        answer status: Int,
        _ text: String
    ) async {
        let body = CountedBody(length: length)
        let (recorder, exchange) = send(url, .post, body: body.source(), over: transport)
        let ending = await recorder.finished()
        #expect(ending == .whole)
        #expect(recorder.head?.status.rawValue == status)
        #expect(recorder.body == Data((text.contains("long") ? "long" : "").utf8))
        await eventually { !body.isOpen }
        #expect(!body.isOpen)
        withExtendedLifetime(exchange) {}
    }

    @Test(
        "ends an unsuccessful exchange over HTTP/1.1",
        arguments: [307, 401, 413, 503],
        framings
    )
    func refusal(status: Int, framing: String) async throws {
        // A server that reads nothing: the upload cannot end before the answer.
        let pieces = "HTTP/1.1 \(status) X\r\n\(framing)".split(separator: "|").map(String.init)
        let server = try await RawServer(
            .init(answer: pieces, pause: .milliseconds(20), reads: false)
        )
        await upload(1 << 30, to: "http://127.0.0.1:\(server.port)/", answer: status, framing)
        withExtendedLifetime(server) {}
    }

    @Test(
        "ends a success over HTTP/1.1 when the server closes the connection",
        arguments: [200, 202],
        framings
    )
    func success(status: Int, framing: String) async throws {
        let pieces = "HTTP/1.1 \(status) X\r\n\(framing)".split(separator: "|").map(String.init)
        let server = try await RawServer(
            .init(answer: pieces + [""], pause: .milliseconds(50), reads: false, closes: true)
        )
        await upload(1 << 30, to: "http://127.0.0.1:\(server.port)/", answer: status, framing)
        withExtendedLifetime(server) {}
    }

    @Test("finishes the upload after a success, and frees the connection")
    func successThatReads() async throws {
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
        let length = 3_000_000
        let server = try await ScriptedServer { _ in
            var received = 0
            var hasAnswered = false
            return { bytes in
                // Heads are short: what is above the length is one.
                received += bytes.readableBytes
                if received >= length { (received, hasAnswered) = (0, false) }
                defer { hasAnswered = received > 0 }
                return .init(pieces: hasAnswered || received == 0 ? [] : [answer])
            }
        }
        let body = CountedBody(length: Int64(length))
        var configuration = AsyncHTTPClientTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let transport = AsyncHTTPClientTransport(configuration: configuration)
        for _ in 0..<3 {
            let url = "http://127.0.0.1:\(server.port)/"
            let (recorder, exchange) = send(url, .post, body: body.source(), over: transport)
            let ending = await recorder.finished()
            #expect(ending == .whole)
            #expect(recorder.sent.last == Int64(length))
            withExtendedLifetime(exchange) {}
        }
        await transport.shutdown()
        withExtendedLifetime(server) {}
    }

    @Test(
        "ends the exchange over HTTP/2",
        arguments: [200, 307, 401],
        ["", "long"]
    )
    func overHTTP2(status: Int, text: String) async throws {
        for resets in [true, false] where resets || status >= 300 {
            let server = try await HTTP2Server { _, frame in
                guard frame.isHeaders else { return [] }
                let stream = frame.stream
                var frames = HTTP2Bytes.headers(
                    status: "\(status)",
                    stream: stream,
                    ends: text.isEmpty
                )
                if !text.isEmpty { frames += HTTP2Bytes.data(text, stream: stream, ends: true) }
                return [frames] + (resets ? [HTTP2Bytes.reset(stream: stream, code: 0)] : [])
            }
            let transport = try await HTTP2Server.transport()
            for _ in 0..<5 {
                await upload(3_000_000, to: server.url, over: transport, answer: status, text)
            }
            #expect(server.accepted == 1)
        }
    }

    @Test("is decompressed whole, even if the connection ends before its reader takes it")
    func compressed() async throws {
        let content = 2 << 20
        let body = Bomb.gzip(content)
        let server = try await HTTP2Server { _, frame in
            guard frame.isHeaders else { return [] }
            let stream = frame.stream
            let fields = [("content-encoding", "gzip")]
            guard !frame.endsStream else {
                return [HTTP2Bytes.headers(status: "204", stream: stream, ends: true)]
            }
            return [
                HTTP2Bytes.response(body, stream: stream, fields: fields),
                HTTP2Bytes.reset(stream: stream, code: 0),
            ]
        }
        let transport = try await HTTP2Server.transport()
        for isCanceled in [false, true] {
            let (recorder, exchange) = sendAndPause(
                server.url,
                .post,
                body: CountedBody(length: 3_000_000).source(),
                over: transport
            )
            await eventually { !recorder.bodyParts.isEmpty }
            // Its response comes behind the end of the other stream.
            let (later, second) = send(server.url, over: transport)
            #expect(await later.finished() == .whole)
            withExtendedLifetime(second) {}
            #expect(recorder.ending == nil)
            if isCanceled { exchange.cancel() } else { exchange.resume() }
            #expect(await recorder.finished() == (isCanceled ? .cancelled : .whole))
            #expect(isCanceled || recorder.bodyParts.reduce(0, +) == content)
        }
        #expect(server.accepted == 1)
    }

    @Test("finishes the upload after a success over HTTP/2", arguments: ["", "long"])
    func successOverHTTP2(text: String) async throws {
        let server = try await HTTP2Server { _, frame in
            guard frame.isHeaders else { return [] }
            let stream = frame.stream
            var frames = HTTP2Bytes.headers(status: "200", stream: stream, ends: text.isEmpty)
            if !text.isEmpty { frames += HTTP2Bytes.data(text, stream: stream, ends: true) }
            // Room for all of the rest, on the connection and on the stream.
            let room = HTTP2Bytes.frame(8, [0, 0x10, 0, 0])
            return [frames, room, HTTP2Bytes.frame(8, stream: stream, [0, 0x10, 0, 0])]
                + [room, HTTP2Bytes.frame(8, stream: stream, [0, 0x20, 0, 0])]
        }
        let transport = try await HTTP2Server.transport()
        for _ in 0..<3 {
            let body = CountedBody(length: 1_500_000)
            let (recorder, exchange) = send(
                server.url,
                .post,
                body: body.source(),
                over: transport
            )
            let ending = await recorder.finished()
            #expect(ending == .whole)
            #expect(recorder.sent.last == 1_500_000)
            #expect(recorder.body == Data(text.utf8))
            withExtendedLifetime(exchange) {}
        }
        #expect(server.accepted == 1)
    }

    @Test(
        "leaves no dead connection behind nginx, however often it occurs",
        arguments: [200, 401]
    )
    func manyOverNginx(status: Int) async throws {
        let nginx = try await Nginx.shared.value
        let transport = try await HTTP2Server.transport()
        let url = nginx.url(.modern, "/early\(status)")
        for _ in 0..<450 {
            let (recorder, exchange) = send(
                url,
                .post,
                body: CountedBody(length: 300_000).source(),
                over: transport
            )
            let ending = await recorder.finished()
            #expect(ending == .whole)
            #expect(recorder.head?.status.rawValue == status)
            withExtendedLifetime(exchange) {}
        }
    }
}
