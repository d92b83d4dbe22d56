import Testing

@testable import NetKitAsyncHTTPClient

@Suite("Environment proxies")
struct EnvironmentProxiesTests {
    private static let forwarded = ProxyRoute.forwarded(
        ForwardProxy(host: "p.test", port: 8080, authorization: nil)
    )
    private static let tunnel = ProxyRoute.tunnel(.http(host: "p.test", port: 8080))

    @Test(
        "follows curl's rules and ignores HTTP_PROXY",
        arguments: [
            ([:], ProxyRoute.direct, ProxyRoute.direct),
            (["http_proxy": "http://p.test:8080"], forwarded, .direct),
            (["HTTP_PROXY": "http://p.test:8080"], .direct, .direct),
            (["https_proxy": "http://p.test:8080"], .direct, tunnel),
            (["HTTPS_PROXY": "http://p.test:8080"], .direct, tunnel),
            (["all_proxy": "http://p.test:8080"], forwarded, tunnel),
            (["ALL_PROXY": "http://p.test:8080"], forwarded, tunnel),
            (["http_proxy": "", "all_proxy": "http://p.test:8080"], forwarded, tunnel),
            (
                ["https_proxy": "http://p.test:8080", "HTTPS_PROXY": "http://other.test"], .direct,
                tunnel
            ),
            (
                ["http_proxy": "http://p.test:8080", "all_proxy": "socks5://s.test"], forwarded,
                .tunnel(.socks(host: "s.test", port: 1_080))
            ),
        ]
    )
    func variables(environment: [String: String], http: ProxyRoute, https: ProxyRoute) {
        let proxies = EnvironmentProxies(environment)
        #expect(proxies.route(to: "example.com", isSecure: false) == http)
        #expect(proxies.route(to: "example.com", isSecure: true) == https)
    }

    @Test(
        "accepts a proxy without scheme or port, and with a user",
        arguments: [
            ("p.test", ForwardProxy(host: "p.test", port: 1_080, authorization: nil)),
            ("p.test:3128", ForwardProxy(host: "p.test", port: 3_128, authorization: nil)),
            ("HTTP://p.test:3128/x", ForwardProxy(host: "p.test", port: 3_128, authorization: nil)),
            ("http://[::1]:3128", ForwardProxy(host: "::1", port: 3_128, authorization: nil)),
            (
                "http://us%40er:p%3Aw@p.test:1",
                ForwardProxy(host: "p.test", port: 1, authorization: "Basic dXNAZXI6cDp3")
            ),
            ("u@p.test", ForwardProxy(host: "p.test", port: 1_080, authorization: "Basic dTo=")),
        ]
    )
    func addresses(value: String, proxy: ForwardProxy) {
        let proxies = EnvironmentProxies(["http_proxy": value])
        #expect(proxies.route(to: "example.com", isSecure: false) == .forwarded(proxy))
    }

    @Test(
        "reports an unusable proxy without its secrets",
        arguments: [
            "ftp://u:SECRET@p.test", "https://u:SECRET@p.test", "socks4://p.test",
            "socks5://u:SECRET@p.test", "http://", "http://u:SECRET@:80", "p.test:0",
            "p.test:65536", "p.test:99999999999999999999", "p.test:8o", "p test", "[::1",
            "[::1]8", "http://u%zz:SECRET@p.test",
        ]
    )
    func unusable(value: String) throws {
        let route = EnvironmentProxies(["all_proxy": value])
            .route(to: "example.com", isSecure: true)
        guard case .unusable(let reason) = route else {
            Issue.record("\(route)")
            return
        }
        #expect(reason.hasPrefix("the proxy in all_proxy, "))
        #expect(!reason.contains("SECRET"))
    }

    @Test(
        "skips the proxy for hosts in no_proxy",
        arguments: [
            ("example.com", "example.com", true), ("example.com", "EXAMPLE.com.", true),
            ("example.com", "a.example.com", true), ("example.com", "anexample.com", false),
            (".example.com", "example.com", true), (".example.com", "a.example.com", true),
            ("example.com.", "example.com", true), ("a.example.com", "example.com", false),
            ("x.test,example.com", "example.com", true),
            ("x.test example.com", "example.com", true),
            (" , example.com ,", "example.com", true), ("*", "example.com", true),
            ("x.test,*", "example.com", false), ("example.com:80", "example.com", false),
            ("com", "example.com", true), ("xample.com", "example.com", false), ("", "a", false),
            (".", "example.com", false), ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.0/8", "127.3.2.1", true), ("127.0.0.0/8", "128.0.0.1", false),
            ("127.0.0.0/8", "localhost", false), ("10.0.0.0/16", "10.1.2.3", false),
            ("10.0.0.0/15", "10.1.2.3", true), ("10.0.0.0/0", "10.0.0.1", false),
            ("10.0.0.0/33", "10.0.0.0", false), ("10.0.0.0/x", "10.0.0.0", false),
            ("10.0.0.0/32", "10.0.0.0", true), ("0.0.1", "127.0.0.1", false),
            ("::1", "[::1]", true), ("[::1]", "::1", true), ("fe80::/10", "fe90::1", true),
            ("fe80::/10", "ff80::1", false), ("::/999", "::1", false), ("/", "::1", false),
        ]
    )
    func exceptions(list: String, host: String, isException: Bool) {
        for name in ["no_proxy", "NO_PROXY"] {
            let proxies = EnvironmentProxies(["http_proxy": "http://p.test:8080", name: list])
            let route = proxies.route(to: host, isSecure: false)
            #expect(route == (isException ? .direct : Self.forwarded))
        }
    }
}
