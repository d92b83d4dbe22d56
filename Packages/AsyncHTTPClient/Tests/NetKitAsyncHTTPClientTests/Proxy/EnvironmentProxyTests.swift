import Foundation
import NIOCore
import NetKit
import NetKitTesting
import Testing

@testable import NetKitAsyncHTTPClient

@Suite("A request through the environment's proxy", .timeLimit(.minutes(15)))
struct EnvironmentProxyTests {
    /// A proxy that answers every connection once.
    private static func proxy(
        _ answer: String = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        closes: Bool = false
    ) async throws -> RawServer {
        try await RawServer(.init(answer: [answer], closes: closes))
    }

    private static func transport(
        _ environment: [String: String],
        _ change: (inout AsyncHTTPClientTransport.Configuration) -> Void = { _ in }
    ) -> AsyncHTTPClientTransport {
        var configuration = AsyncHTTPClientTransport.Configuration()
        change(&configuration)
        return AsyncHTTPClientTransport(configuration: configuration, environment: environment)
    }

    @Test(
        "to an http server is sent to the proxy in absolute form",
        arguments: [
            ("http://elsewhere.test", "http://elsewhere.test/", "elsewhere.test"),
            (
                "http://Elsewhere.test:81/a%2Fb?c=%20&d", "http://elsewhere.test:81/a%2Fb?c=%20&d",
                "elsewhere.test:81"
            ),
            ("http://[::1]:82/a", "http://[::1]:82/a", "[::1]:82"),
        ]
    )
    func forwarded(url: String, target: String, host: String) async throws {
        let proxy = try await Self.proxy()
        let transport = Self.transport(["http_proxy": "http://u:p@127.0.0.1:\(proxy.port)"])
        let body = BodySource(Data("abc".utf8))
        let (recorder, exchange) = send(url, .put, body: body, over: transport)
        #expect(await recorder.finished() == .whole)
        withExtendedLifetime(exchange) {}
        #expect(recorder.body == Data("ok".utf8))
        // The answer can come before the proxy has read the body.
        await eventually { proxy.requests.joined().hasSuffix("\r\n\r\nabc") }
        let sent = proxy.requests.joined()
        #expect(sent.hasPrefix("PUT \(target) HTTP/1.1\r\n"))
        let fields = sent.lowercased()
        #expect(fields.contains("\r\nhost: \(host)\r\n"))
        #expect(sent.contains("\r\nProxy-Authorization: Basic dTpw\r\n"))
        #expect(!fields.contains("netkit"))
        #expect(sent.hasSuffix("\r\n\r\nabc"))
    }

    @Test("to an https server goes through a tunnel")
    func tunnel() async throws {
        let proxy = try await Self.proxy("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        let transport = Self.transport(["HTTPS_PROXY": "http://u:p@127.0.0.1:\(proxy.port)"])
        let (recorder, exchange) = send("https://elsewhere.test/x", over: transport)
        #expect(await recorder.finished() == .failed(.cannotConnect))
        withExtendedLifetime(exchange) {}
        let sent = try #require(proxy.requests.first)
        #expect(sent.hasPrefix("CONNECT elsewhere.test:443 HTTP/1.1\r\n"))
        #expect(sent.lowercased().contains("\r\nproxy-authorization: basic dtpw\r\n"))
    }

    @Test("to an https server fails if the proxy closes the connection before the tunnel is made")
    func closedTunnel() async throws {
        let proxy = try await Self.proxy("HTTP/1.1 ", closes: true)
        let transport = Self.transport(["https_proxy": "http://127.0.0.1:\(proxy.port)"])
        let (recorder, exchange) = send("https://elsewhere.test/x", over: transport)
        #expect(await recorder.finished() == .failed(.cannotConnect))
        #expect(recorder.error?.reason == "the proxy closed the connection")
        withExtendedLifetime(exchange) {}
    }

    @Test("goes straight to the server if no_proxy, the configuration or the scheme says so")
    func direct() async throws {
        let server = try MockServer()
        server.route("GET", "/x") { _ in .text("straight") }
        let proxy = try await Self.proxy()
        let address = "http://127.0.0.1:\(proxy.port)"
        for transport in [
            Self.transport(["http_proxy": address, "no_proxy": "127.0.0.0/8"]),
            Self.transport(["http_proxy": address]) { $0.usesEnvironmentProxy = false },
            Self.transport(["HTTP_PROXY": address]),
            Self.transport(["https_proxy": address]),
        ] {
            let (recorder, exchange) = send("\(server.baseURL)/x", over: transport)
            #expect(await recorder.finished() == .whole)
            withExtendedLifetime(exchange) {}
            #expect(recorder.body == Data("straight".utf8))
        }
        #expect(proxy.accepted == 0)
    }

    @Test("prefers the configured proxy")
    func configured() async throws {
        let environments = try await Self.proxy()
        let configured = try await Self.proxy("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        let transport = Self.transport(["http_proxy": "127.0.0.1:\(environments.port)"]) {
            $0.proxy = .http(host: "127.0.0.1", port: configured.port)
        }
        let (recorder, exchange) = send("http://elsewhere.test/x", over: transport)
        #expect(await recorder.finished() == .failed(.cannotConnect))
        withExtendedLifetime(exchange) {}
        #expect(environments.accepted == 0)
        #expect(configured.requests.first?.hasPrefix("CONNECT elsewhere.test:80 ") == true)
    }

    @Test("fails with the variable's name if the proxy is unusable")
    func unusable() async throws {
        let transport = Self.transport(["all_proxy": "socks4://u:SECRET@127.0.0.1:1"])
        let (recorder, exchange) = send("http://127.0.0.1:1/x", over: transport)
        #expect(await recorder.finished() == .failed(.unsupported))
        withExtendedLifetime(exchange) {}
        let description = try #require(recorder.error).description
        #expect(description.contains("the proxy in all_proxy"))
        #expect(!description.contains("SECRET"))
        await transport.shutdown()
    }

    @Test("reuses one proxy connection for all hosts")
    func kept() async throws {
        let proxy = try await RawServer(
            .init(
                answer: ["HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"],
                secondAnswer: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb"
            )
        )
        var configuration = AsyncHTTPClientTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let transport = AsyncHTTPClientTransport(
            configuration: configuration,
            environment: ["http_proxy": "127.0.0.1:\(proxy.port)"]
        )
        for (target, body) in [("http://x.test/1", "a"), ("http://x.test/2", "b")] {
            let (recorder, exchange) = send(target, over: transport)
            #expect(await recorder.finished() == .whole)
            withExtendedLifetime(exchange) {}
            #expect(recorder.body == Data(body.utf8))
        }
        #expect(proxy.accepted == 1)
        #expect(
            proxy.requests.map { $0.prefix(23) } == [
                "GET http://x.test/1 HTT", "GET http://x.test/2 HTT",
            ]
        )
        await transport.shutdown()
    }

    @Test("looks the same to the proxy over URLSession and AsyncHTTPClient")
    func process() async {
        await #expect(processExitsWith: .success) {
            let proxy = try await Self.proxy(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
                closes: true
            )
            setenv("http_proxy", "http://us%40er:pw@127.0.0.1:\(proxy.port)", 1)
            setenv("no_proxy", "direct.invalid", 1)
            let transports: [any Transport] = [URLSessionTransport(), AsyncHTTPClientTransport()]
            for transport in transports {
                let url = try #require(URL(string: "http://elsewhere.test:81"))
                let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
                let text = try await endpoint.value(
                    for: TextRequest(path: "a", queryParams: [("b", "c")])
                )
                #expect(text == "ok")
                await #expect {
                    try await endpoint.value(for: TextRequest(path: "http://direct.invalid/"))
                } throws: { error in
                    guard case .transport(let failure) = error as? ErrorResponse<ServerMessage>
                    else { return false }
                    return failure.kind == .cannotFindHost
                }
            }
            #expect(proxy.requests.count == 2)
            for sent in proxy.requests {
                #expect(sent.hasPrefix("GET http://elsewhere.test:81/a?b=c HTTP/1.1\r\n"))
                #expect(sent.contains("\r\nHost: elsewhere.test:81\r\n"))
                #expect(sent.contains("\r\nProxy-Authorization: Basic dXNAZXI6cHc=\r\n"))
            }
        }
    }
}
