import Foundation
import Testing

@testable import NetKitSupport

@Suite("Proxy variable")
struct ProxyVariableTests {
    @Test(
        "is named if the connection was to a proxy, not to the URL's host",
        arguments: [
            ("http://api.test/x", "proxy.test", "3128", "http_proxy"),
            ("http://api.test/x", "api.test", "80", nil),
            ("http://api.test:3128/x", "api.test", "3128", nil),
            ("http://proxy.test:80/x", "proxy.test", "3128", "http_proxy"),
            ("https://api.test/x", "secure.test", "8443", "HTTPS_PROXY"),
            ("https://api.test/x", "api.test", "443", nil),
            ("https://api.test/x", "any.test", "1080", "all_proxy"),
            ("http://api.test/x", "other.test", "3128", nil),
        ] as [(String, String, String, String?)]
    )
    func names(url: String, host: String, port: String, expected: String?) throws {
        let environment = [
            "http_proxy": "http://user:secret@proxy.test:3128", "HTTP_PROXY": "other.test:3128",
            "HTTPS_PROXY": "secure.test:8443", "all_proxy": "socks5://any.test",
        ]
        let url = try #require(URL(string: url))
        #expect(
            ProxyVariable.name(to: host[...], port[...], for: url, in: { environment[$0] })
                == expected
        )
    }
}
