import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOSSL
import NetKit
import NetKitCurl
import Testing

/// Proxies in front of servers with TLS, and proxies with TLS, over libcurl.
@Suite("Proxies and TLS over libcurl", .timeLimit(.minutes(15)))
struct CurlProxyTLSTests {
    private let authority: Data

    init() async throws {
        authority = try await Nginx.shared.value.file("authority.pem")
    }

    /// What servers read, each with its connections in one text.
    private final class Log: Sendable {
        private let bytes = NIOLockedValueBox("")

        var text: String { bytes.withLockedValue { $0 } }

        func note(_ text: String) { bytes.withLockedValue { $0 += text } }
    }

    /// A server with TLS, an origin or a proxy, that answers each request alike.
    private func server(
        _ log: Log,
        answer: String,
        of name: String = "server"
    ) async throws
        -> ScriptedServer
    {
        let nginx = try await Nginx.shared.value
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(nginx.file("\(name).pem")))
        let key = try NIOSSLPrivateKey(bytes: Array(nginx.file("\(name).key")), format: .pem)
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        return try await ScriptedServer(tls: [NIOSSLContext(configuration: configuration)]) { _ in
            { bytes in
                log.note(String(buffer: bytes))
                return ScriptedServer.Reply(pieces: [Array(answer.utf8)])
            }
        }
    }

    private func transport(
        _ proxy: String,
        _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) throws -> CurlTransport {
        CurlTransport.trusting(authority) {
            $0.proxy = .url(URL(string: proxy) ?? URL(fileURLWithPath: "/"))
            change(&$0)
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("carry https through a tunnel, whose credentials the origin never sees")
    func tunnel() async throws {
        let (asked, inside) = (Log(), Log())
        let origin = try await server(inside, answer: Self.ok)
        let proxy = try await TunnelProxy(port: origin.port) { asked.note($0) }
        let transport = try transport("http://ada:secret@127.0.0.1:\(proxy.port)")
        for _ in 0..<2 {
            let (recorder, exchange) = send("https://localhost/x", over: transport)
            #expect(await recorder.finished() == .whole)
            #expect(recorder.body == Data("ok".utf8))
            #expect(recorder.head?.connection?.remoteAddress == "127.0.0.1:\(proxy.port)")
            withExtendedLifetime(exchange) {}
        }
        #expect(proxy.accepted == 1)
        #expect(asked.text.hasPrefix("CONNECT localhost:443 HTTP/1.1\r\n"))
        #expect(asked.text.contains("\r\nProxy-Authorization: Basic YWRhOnNlY3JldA==\r\n"))
        #expect(inside.text.components(separatedBy: "GET /x HTTP/1.1\r\n").count == 3)
        #expect(!inside.text.lowercased().contains("authorization"))
    }

    @Test("check the name of the origin, not of the proxy")
    func names() async throws {
        let inside = Log()
        let origin = try await server(inside, answer: Self.ok)
        let proxy = try await TunnelProxy(port: origin.port) { _ in }
        let transport = try transport("http://localhost:\(proxy.port)")
        let (recorder, exchange) = send("https://elsewhere.test/x", over: transport)
        #expect(await recorder.finished() == .failed(.secureConnection))
        #expect(inside.text.isEmpty)
        withExtendedLifetime(exchange) {}
    }

    @Test("with TLS are trusted as servers are, and get their credentials inside it")
    func secureProxy() async throws {
        let log = Log()
        let proxy = try await server(log, answer: Self.ok)
        let url = "https://ada:secret@localhost:\(proxy.port)"
        let (recorder, exchange) = send("http://elsewhere.test/x", over: try transport(url))
        #expect(await recorder.finished() == .whole, "\(String(describing: recorder.error))")
        withExtendedLifetime(exchange) {}
        #expect(log.text.hasPrefix("GET http://elsewhere.test/x HTTP/1.1\r\n"))
        #expect(log.text.contains("\r\nProxy-Authorization: Basic YWRhOnNlY3JldA==\r\n"))
        let before = log.text
        let stranger = try transport(url) { $0.tls.roots = .system }
        let (refused, second) = send("http://elsewhere.test/x", over: stranger)
        #expect(await refused.finished() == .failed(.secureConnection))
        withExtendedLifetime(second) {}
        #expect(log.text == before)
    }

    @Test("with TLS refuse tunnels like others")
    func refusedSecureTunnel() async throws {
        let log = Log()
        let refusal = "HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"
        let proxy = try await server(log, answer: refusal)
        let transport = try transport("https://localhost:\(proxy.port)")
        let (recorder, exchange) = send("https://elsewhere.test/x", over: transport)
        #expect(await recorder.finished() == .failed(.cannotConnect))
        #expect(recorder.error?.reason == "the proxy answered CONNECT with 407")
        #expect(log.text.hasPrefix("CONNECT elsewhere.test:443 HTTP/1.1\r\n"))
        withExtendedLifetime(exchange) {}
    }
}
