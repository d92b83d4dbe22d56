import Foundation
import NetKit
import NetKitCurl
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Proxies over libcurl", .timeLimit(.minutes(15)))
struct CurlProxyTests {
    private let log = ProxyLog()

    private func transport(
        _ url: String,
        _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) -> CurlTransport {
        curl {
            $0.proxy = .url(testURL(url))
            change(&$0)
        }
    }

    /// `us@er:pass word` as it stands in a URL, and its Basic credentials.
    private let credentials = (url: "us%40er:pass%20word", basic: "Basic dXNAZXI6cGFzcyB3b3Jk")

    // MARK: HTTP

    @Test("send requests of http in absolute form, with the proxy's credentials for it alone")
    func forwarded() async throws {
        let proxy = try ScriptedServer.httpProxy(log)
        let transport = transport("http://\(credentials.url)@127.0.0.1:\(proxy.port)")
        for path in ["/a//b?c=%20", "/d"] {
            let received = await Received.get("http://elsewhere.test:81\(path)", over: transport)
            #expect(received.text == "proxy")
        }
        #expect(proxy.accepted == 1)
        let heads = log.all
        #expect(
            heads.map { "\($0.prefix { $0 != "\r\n" })" } == [
                "GET http://elsewhere.test:81/a//b?c=%20 HTTP/1.1",
                "GET http://elsewhere.test:81/d HTTP/1.1",
            ]
        )
        for head in heads {
            #expect(head.field("Host") == "elsewhere.test:81")
            #expect(head.field("Proxy-Authorization") == credentials.basic)
            #expect(head.field("Authorization") == nil)
            #expect(head.field("Proxy-Connection") == nil)
        }
    }

    @Test("open a tunnel for https, which alone has the proxy's credentials")
    func tunnel() async throws {
        let inside = Locked<[UInt8]>([])
        let origin = try ScriptedServer { peer in
            let bytes = peer.read()
            inside.withLock { $0 += bytes }
        }
        let proxy = try ScriptedServer.httpProxy(log, port: origin.port)
        let transport = transport("http://\(credentials.url)@127.0.0.1:\(proxy.port)")
        let request = EncodedRequest(
            url: testURL("https://elsewhere.test/x"),
            method: .get,
            headers: ["Authorization": "Bearer of-the-origin", "User-Agent": "NetKit"]
        )
        let received = Received()
        received.begin(request, over: transport)
        _ = await received.ending()
        #expect(received.error?.kind == .secureConnection)
        #expect(log.all.count == 1)
        let head = try #require(log.all.first)
        #expect(head.hasPrefix("CONNECT elsewhere.test:443 HTTP/1.1\r\n"))
        #expect(head.field("Proxy-Authorization") == credentials.basic)
        #expect(head.field("Authorization") == nil)
        // A handshake of TLS, and nothing that the proxy was told.
        let bytes = inside.withLock { $0 }
        #expect(bytes.first == 22)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("dXNAZXI6"))
    }

    @Test(
        "fail a tunnel that they refuse, and say how",
        arguments: [
            ("407 Proxy Authentication Required", "the proxy answered CONNECT with 407"),
            ("403 Forbidden", "the proxy answered CONNECT with 403"),
            ("502 Bad Gateway", "the proxy answered CONNECT with 502"),
        ]
    )
    func refusedTunnel(status: String, reason: String) async throws {
        let fields = "Proxy-Authenticate: Basic realm=x\r\nContent-Length: 2\r\n\r\nno"
        let proxy = try ScriptedServer.httpProxy(log, answer: "HTTP/1.1 \(status)\r\n\(fields)")
        let transport = transport("http://u:wrong@127.0.0.1:\(proxy.port)")
        for _ in 0..<2 {
            let received = await Received.get("https://elsewhere.test/x", over: transport)
            #expect(received.error?.kind == .cannotConnect)
            #expect(received.error?.reason == reason)
            #expect(received.head == nil)
        }
    }

    /// libcurl reads what follows a 407 byte by byte, in one go.
    @Test("fail a tunnel whose refusal has no end, and hold up no other call")
    func endlessRefusal() async throws {
        let piece = "1000\r\n" + String(repeating: "x", count: 0x1000) + "\r\n"
        let proxy = try ScriptedServer { peer in
            let head = peer.readHead() ?? ""
            guard head.hasPrefix("CONNECT") else {
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother")
                return
            }
            peer.write("HTTP/1.1 407 No\r\nTransfer-Encoding: chunked\r\n\r\n")
            while peer.write(piece) {}
        }
        let transport = transport("http://127.0.0.1:\(proxy.port)")
        for _ in 0..<2 {
            let received = await Received.get("https://elsewhere.test/x", over: transport)
            #expect(received.error?.kind == .cannotConnect)
            #expect(received.error?.reason == "the proxy answered CONNECT with 407")
        }
        #expect(await Received.get("http://elsewhere.test/x", over: transport).text == "other")
    }

    @Test("give a response 407 of their own to a request of http")
    func refusedRequest() async throws {
        let proxy = try ScriptedServer { peer in
            while peer.readRequest() != nil {
                peer.write("HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nno")
            }
        }
        let transport = transport("http://u:wrong@127.0.0.1:\(proxy.port)")
        let received = await Received.get("http://elsewhere.test/x", over: transport)
        #expect(received.head?.status == 407 && received.text == "no" && received.isWhole)
    }

    @Test("that end a connection without an answer to CONNECT fail the connection")
    func lostTunnel() async throws {
        let proxy = try ScriptedServer { peer in _ = peer.readHead() }
        let received = await Received.get(
            "https://elsewhere.test/x",
            over: transport("http://127.0.0.1:\(proxy.port)")
        )
        #expect(received.error?.kind == .cannotConnect, "\(String(describing: received.error))")
    }

    @Test("that can't be reached or found fail the connection, and not the host")
    func unreachable() async throws {
        let closed = try RefusingPort()
        let label = String(repeating: "a", count: 64)
        for url in [
            "http://127.0.0.1:\(closed.port)", "socks5://127.0.0.1:\(closed.port)",
            "http://\(label).invalid:1",
        ] {
            for target in ["http://elsewhere.test/", "https://elsewhere.test/"] {
                let received = await Received.get(target, over: transport(url))
                #expect(received.error?.kind == .cannotConnect, "\(url) \(target)")
            }
        }
    }

    // MARK: SOCKS

    @Test("of SOCKS 5 get an address with socks5, and the name with socks5h")
    func socks() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("origin") }
        let proxy = try ScriptedServer.socksProxy(log)
        let url = "http://localhost:\(server.port)/x"
        let named = transport("socks5h://127.0.0.1:\(proxy.port)")
        #expect(await Received.get(url, over: named).text == "origin")
        #expect(await Received.get(url, over: named).text == "origin")
        #expect(log.all == ["localhost"])
        let resolved = transport("socks5://127.0.0.1:\(proxy.port)")
        #expect(await Received.get(url, over: resolved).text == "origin")
        #expect(["127.0.0.1", "[\(String(repeating: "0 ", count: 15))1]"].contains(log.all.last))
        // The request itself is the same as without a proxy.
        #expect(Set(server.requests.map(\.target)) == ["/x"])
        #expect(server.requests.allSatisfy { $0.header("Host") == "localhost:\(server.port)" })
    }

    @Test("of SOCKS 5 get their credentials, which the origin doesn't")
    func socksCredentials() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("origin") }
        let proxy = try ScriptedServer.socksProxy(log, credentials: "us@er:pass word")
        let address = "127.0.0.1:\(proxy.port)"
        let url = "http://elsewhere.test:\(server.port)/x"
        let right = transport("socks5h://\(credentials.url)@\(address)")
        #expect(await Received.get(url, over: right).text == "origin")
        #expect(log.all == ["us@er:pass word", "elsewhere.test"])
        let sent = try #require(server.requests.first)
        #expect(sent.header("Proxy-Authorization") == nil && sent.header("Authorization") == nil)
        for wrong in ["socks5h://us%40er:wrong@\(address)", "socks5h://\(address)"] {
            let received = await Received.get(url, over: transport(wrong))
            #expect(received.error?.kind == .cannotConnect)
            #expect(received.error?.reason == "the proxy refused the connection")
        }
        #expect(server.requests.count == 1)
    }

    @Test("of SOCKS 5 that refuse a destination fail the connection", arguments: 1...8)
    func socksRefusal(reply: UInt8) async throws {
        let proxy = try ScriptedServer.socksProxy(log, reply: reply)
        let transport = transport("socks5h://127.0.0.1:\(proxy.port)")
        let received = await Received.get("http://elsewhere.test/x", over: transport)
        #expect(received.error?.kind == .cannotConnect)
    }

    // MARK: Addresses

    @Test("have the address that must be allowed")
    func policy() async throws {
        let proxy = try ScriptedServer.httpProxy(log)
        let asked = Locked<[String]>([])
        let url = "http://127.0.0.1:\(proxy.port)"
        let watched = transport(url) {
            $0.allowedAddresses = .custom { address in
                asked.withLock { $0.append(address) }
                return true
            }
        }
        #expect(await Received.get("http://10.0.0.1/x", over: watched).text == "proxy")
        #expect(asked.withLock { $0 } == ["127.0.0.1"])
        let guarded = transport(url) { $0.allowedAddresses = .publicOnly }
        let received = await Received.get("http://elsewhere.test/x", over: guarded)
        #expect(received.error?.kind == .cannotConnect)
        #expect(received.error?.reason?.contains("127.0.0.1 is not an allowed address") == true)
        #expect(proxy.accepted == 1 && log.all.count == 1)
    }

    @Test("take no part in connections to a unix socket")
    func unixSocket() async throws {
        let proxy = try ScriptedServer.httpProxy(log)
        let folder = try SocketFolder()
        let server = try ScriptedServer(.unix(folder.path)) { peer in
            if let head = peer.readHead() {
                log.note(head)
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nunix")
            }
        }
        let transport = transport("http://127.0.0.1:\(proxy.port)") {
            $0.unixSocketPath = folder.path
        }
        #expect(await Received.get("http://docker/v1/info", over: transport).text == "unix")
        #expect(log.all.first?.hasPrefix("GET /v1/info HTTP/1.1\r\nHost: docker\r\n") == true)
        #expect(proxy.accepted == 0 && server.accepted == 1)
    }

    // MARK: The environment

    /// Whether each request goes to the proxy, with these variables, in a process of its own.
    private static func check(_ cases: [EnvironmentCase]) async throws {
        let log = ProxyLog()
        let proxy = try ScriptedServer.httpProxy(log, answer: "HTTP/1.1 403 No\r\n\r\n")
        let socks = try ScriptedServer.socksProxy(log, reply: 5)
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("origin") }
        for variable in EnvironmentCase.variables { unsetenv(variable) }
        for example in cases {
            for (name, value) in example.variables {
                let value = value.replacing("PROXY", with: "127.0.0.1:\(proxy.port)")
                    .replacing("SOCKS", with: "127.0.0.1:\(socks.port)")
                setenv(name, value, 1)
            }
            let before = proxy.accepted + socks.accepted
            let url = example.url.replacing("ORIGIN", with: "127.0.0.1:\(server.port)")
            let transport = CurlTransport()
            let received = await Received.get(url, over: transport)
            let isProxied = proxy.accepted + socks.accepted > before
            #expect(isProxied == example.isProxied, "\(example)")
            if !isProxied { #expect(received.text == "origin", "\(example)") }
            if isProxied, let authorization = example.authorization {
                #expect(log.all.last?.field("Proxy-Authorization") == authorization, "\(example)")
            }
            for (name, _) in example.variables { unsetenv(name) }
        }
    }

    @Test("are those of the environment, by curl's rules")
    func environment() async {
        await #expect(processExitsWith: .success) {
            let direct = "http://ORIGIN/x"
            try await Self.check([
                .init([("http_proxy", "http://PROXY")], "http://elsewhere.test/x", true),
                .init([("http_proxy", "PROXY")], direct, true),
                .init([("HTTP_PROXY", "http://PROXY")], direct, false),
                .init([("https_proxy", "http://PROXY")], direct, false),
                .init([("https_proxy", "http://PROXY")], "https://elsewhere.test/x", true),
                .init([("HTTPS_PROXY", "http://PROXY")], "https://elsewhere.test/x", true),
                .init([("all_proxy", "http://PROXY")], direct, true),
                .init([("ALL_PROXY", "http://PROXY")], "https://elsewhere.test/x", true),
                .init([("all_proxy", "socks5h://SOCKS")], direct, true),
                .init([("http_proxy", "PROXY"), ("no_proxy", "127.0.0.1")], direct, false),
                .init([("http_proxy", "PROXY"), ("NO_PROXY", "a.test,127.0.0.1")], direct, false),
                .init([("http_proxy", "PROXY"), ("no_proxy", "*")], direct, false),
                .init([("http_proxy", "PROXY"), ("no_proxy", "elsewhere.test")], direct, true),
                .init(
                    [("http_proxy", "PROXY"), ("no_proxy", "elsewhere.test")],
                    "http://notelsewhere.test/x",
                    true
                ),
                .init(
                    [("http_proxy", "http://u:p@PROXY")],
                    "http://elsewhere.test/x",
                    true,
                    authorization: "Basic dTpw"
                ),
                .init(
                    [("https_proxy", "http://u:p@PROXY")],
                    "https://elsewhere.test/x",
                    true,
                    authorization: "Basic dTpw"
                ),
            ])
        }
    }

    @Test("of the environment are named with their variable when they can't be reached")
    func unreached() async {
        await #expect(processExitsWith: .success) {
            let refusing = try RefusingPort()
            for name in EnvironmentCase.variables { unsetenv(name) }
            setenv("http_proxy", "http://127.0.0.1:\(refusing.port)", 1)
            let error = await Received.get("http://a.test/x", over: CurlTransport()).error
            #expect(error?.kind == .cannotConnect)
            // Later versions name the host that is behind the proxy.
            guard CurlTransport.version.hasPrefix("libcurl 7") else { return }
            #expect(
                error?.message
                    == "could not connect to the proxy 127.0.0.1 port \(refusing.port) (http_proxy): connection refused"
            )
        }
    }

    @Test("of a configuration serve hosts that the environment excepts, too")
    func noException() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer.httpProxy(ProxyLog())
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .url(testURL(proxy.url))
            for name in ["no_proxy", "NO_PROXY"] { setenv(name, "*", 1) }
            let transport = CurlTransport(configuration: configuration)
            #expect(await Received.get("http://a.invalid/", over: transport).text == "proxy")
        }
    }

    @Test("of the environment are left alone on request")
    func noEnvironment() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer.httpProxy(ProxyLog())
            let server = try MockServer()
            server.route(nil, "/x") { _ in .text("origin") }
            for name in ["http_proxy", "all_proxy"] { setenv(name, proxy.url, 1) }
            let received = await Received.get("\(server.baseURL)/x", over: curl())
            #expect(received.text == "origin" && proxy.accepted == 0)
        }
    }
}

/// Variables, a request, and whether it goes to the proxy.
private struct EnvironmentCase: Sendable {
    static let variables = ["http", "https", "all", "no"]
        .flatMap { ["\($0)_proxy", "\($0.uppercased())_PROXY"] }

    let variables: [(String, String)]
    let url: String
    let isProxied: Bool
    let authorization: String?

    init(
        _ variables: [(String, String)],
        _ url: String,
        _ isProxied: Bool,
        authorization: String? = nil
    ) {
        (self.variables, self.url) = (variables, url)
        (self.isProxied, self.authorization) = (isProxied, authorization)
    }
}
