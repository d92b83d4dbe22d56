import Foundation
import NetKit
import Testing

@testable import NetKitAsyncHTTPClient

@Suite("A server's limit of streams over AsyncHTTPClient", .timeLimit(.minutes(15)))
struct StreamLimitTests {
    private struct Upload: Request {
        typealias ResponseObjectType = Void
        let path = ""
        let method: HTTPMethod = .post
        let body: RequestBody?
    }

    @Test(
        "delays the requests beyond it, for longer than the connect timeout",
        arguments: [true, false]
    )
    func delay(isKnown: Bool) async throws {
        let preface = [HTTP2Bytes.settings(maximumStreams: 1)]
        let server = try await HTTP2Server(preface: preface) { _, frame in
            guard frame.endsStream else { return [] }
            return [HTTP2Bytes.headers(status: "200", stream: frame.stream, ends: true)]
        }
        // With its connect timeout of ten seconds, in which a loaded machine connects, too.
        let transport = try await HTTP2Server.transport()
        let endpoint = Endpoint(
            baseURL: try #require(URL(string: server.url)),
            transport: transport
        )
        // Whose response tells that the server speaks HTTP/2.
        if isKnown { try await endpoint.value(for: Upload(body: nil)) }
        let (pieces, sink) = AsyncStream.makeStream(of: Data.self)
        let upload = Upload(body: .stream(pieces, isLive: true))
        let first = endpoint.execute(upload).onSuccess { _ in }
        let key = ConnectionKey(isSecure: true, host: "localhost", port: server.port)
        await eventually { transport.isBusy(key) }
        let (second, exchange) = send(server.url, over: transport)
        let waiting = try #require(exchange as? AsyncHTTPClientExchange)
        await eventually { waiting.begins > 1 || second.ending != nil }
        sink.finish()
        try await first.value
        #expect(await second.finished() == .whole)
        #expect(server.accepted == 1)
    }

    /// Starts a server that resets each stream behind its response.
    private func resettingServer() async throws -> HTTP2Server {
        try await HTTP2Server { _, frame in
            guard frame.endsStream else { return [] }
            return [
                HTTP2Bytes.headers(status: "200", stream: frame.stream, ends: true),
                HTTP2Bytes.reset(stream: frame.stream, code: 0),
            ]
        }
    }

    @Test("isn't reached by streams that the server resets behind their responses")
    func resets() async throws {
        let server = try await resettingServer()
        let transport = try await HTTP2Server.transport()
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...20 {
                group.addTask {
                    for _ in 1...30 {
                        let body = BodySource(Data("abc".utf8))
                        let (recorder, _) = send(server.url, .post, body: body, over: transport)
                        #expect(await recorder.finished() == .whole)
                    }
                }
            }
        }
    }

    @Test("isn't reached by resets behind the responses to one request after another")
    func resetsInTurn() async throws {
        let server = try await resettingServer()
        let transport = try await HTTP2Server.transport()
        for _ in 1...150 {
            #expect(await send(server.url, over: transport).0.finished() == .whole)
        }
        // The server keeps its connections open.
        await transport.shutdown()
        withExtendedLifetime(server) {}
    }

    @Test("isn't used up by requests that are canceled at once")
    func cancelled() async throws {
        let preface = [HTTP2Bytes.settings(maximumStreams: 2)]
        let server = try await HTTP2Server(preface: preface) { _, frame in
            guard frame.endsStream else { return [] }
            return [HTTP2Bytes.headers(status: "200", stream: frame.stream, ends: true)]
        }
        let transport = try await HTTP2Server.transport()
        #expect(await send(server.url, over: transport).0.finished() == .whole)
        for _ in 1...50 {
            let (cancelled, exchange) = send(server.url, over: transport)
            exchange.cancel()
            _ = await cancelled.finished()
        }
        #expect(await send(server.url, over: transport).0.finished() == .whole)
    }
}
