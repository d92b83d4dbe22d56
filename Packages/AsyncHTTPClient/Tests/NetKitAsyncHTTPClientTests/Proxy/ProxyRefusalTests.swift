import Foundation
import NetKit
import NetKitAsyncHTTPClient
import Testing

@Suite("A proxy that makes no connection", .timeLimit(.minutes(15)))
struct ProxyRefusalTests {
    /// A proxy that answers what arrives, one answer after the other, and closes then.
    private static func proxy(_ answers: [[UInt8]]) async throws -> ScriptedServer {
        try await ScriptedServer { _ in
            var left = answers[...]
            return { _ in
                ScriptedServer.Reply(
                    pieces: left.popFirst().map { [$0] } ?? [],
                    closes: left.isEmpty
                )
            }
        }
    }

    private static func failure(
        of url: String,
        by proxy: AsyncHTTPClientTransport.Proxy
    ) async -> TransportError? {
        var configuration = AsyncHTTPClientTransport.Configuration()
        configuration.proxy = proxy
        let transport = AsyncHTTPClientTransport(configuration: configuration)
        let (recorder, exchange) = send(url, over: transport)
        await recorder.finished()
        withExtendedLifetime(exchange) {}
        return recorder.error
    }

    /// The answer of a SOCKS 5 proxy to a request for a connection.
    private static func reply(_ code: UInt8) -> [UInt8] { [5, code, 0, 1, 0, 0, 0, 0, 0, 0] }

    @Test(
        "of SOCKS 5 fails the connection, whatever it says",
        arguments: (1...9).map { [[5, 0], reply($0)] } + [
            // No method of authentication, and one that wasn't offered.
            [[5, 0xFF]], [[5, 2]],
            // Another version, and another protocol.
            [[4, 0]], [[5, 0], [4, 0, 0, 1, 0, 0, 0, 0, 0, 0]],
            [Array("HTTP/1.1 400 No\r\n\r\n".utf8)],
            // It closes the connection.
            [], [[5]], [[5, 0], []], [[5, 0], [5, 0, 0]],
        ],
        ["http://elsewhere.test/x", "https://elsewhere.test/x"]
    )
    func socks(answers: [[UInt8]], url: String) async throws {
        let server = try await Self.proxy(answers)
        let error = await Self.failure(of: url, by: .socks(host: "127.0.0.1", port: server.port))
        #expect(error?.kind == .cannotConnect)
        #expect(error?.reason == "the proxy refused the connection")
        #expect(server.accepted == 1)
    }

    @Test(
        "closes the connection instead of an answer to CONNECT",
        arguments: ["", "HTTP/1.1 20", "HTTP/1.1 200 OK\r\nX: y\r\n"],
        ["http://elsewhere.test/x", "https://elsewhere.test/x"]
    )
    func closedTunnel(answer: String, url: String) async throws {
        let server = try await Self.proxy([Array(answer.utf8)])
        let error = await Self.failure(of: url, by: .http(host: "127.0.0.1", port: server.port))
        #expect(error?.kind == .cannotConnect)
        #expect(error?.reason == "the proxy closed the connection")
        #expect(server.accepted == 1)
    }

    @Test("isn't blamed for a connection that is lost after the request was sent")
    func closedOrigin() async throws {
        let server = try await Self.proxy([Array("HTTP/1.1 200 OK\r\n\r\n".utf8), []])
        let proxy = AsyncHTTPClientTransport.Proxy.http(host: "127.0.0.1", port: server.port)
        let error = await Self.failure(of: "http://elsewhere.test/x", by: proxy)
        #expect(error?.kind == .connectionLost)
        #expect(error?.reason == "the server closed the connection")
    }
}
