import Foundation
import Testing

@testable import NetKit
@testable import NetKitCookies
@testable import NetKitSupport

@Suite("Cookie scope")
struct CookieURLTests {
    private func url(_ text: String) throws -> CookieURL {
        try #require(URL(string: text).flatMap { CookieURL($0) })
    }

    @Test(
        "defaults to the folder of the URL that set it",
        arguments: [
            ("http://h", "/"), ("http://h/", "/"), ("http://h/a", "/"), ("http://h/a/", "/a"),
            ("http://h/a/b", "/a"), ("http://h/a/b/", "/a/b"), ("http://h//a", "/"),
            ("http://h//a//b", "//a/"), ("http://h?/a/b", "/"), ("http://h/a;b/c#d/e", "/a;b"),
            ("http://h/a%2Fb/c", "/a%2Fb"), ("http://h/%C3%A4/b", "/%C3%A4"),
        ]
    )
    func defaultPath(text: String, path: String) throws {
        #expect(try url(text).defaultPath == path)
    }

    @Test(
        "uses the root path when the URL has none",
        arguments: [("http://h", "/"), ("http://h?x", "/"), ("http://h/a%2F?b", "/a%2F")]
    )
    func requestPath(text: String, path: String) throws {
        #expect(try url(text).path == path)
    }

    @Test(
        "has the host in lowercase, and an IPv6 literal without brackets",
        arguments: [("http://H.Test:81/a", "h.test"), ("http://[FE80::1]:81/a", "fe80::1")]
    )
    func host(text: String, host: String) throws {
        #expect(try url(text).host == host)
    }

    @Test(
        "has the host of an overriding Host field, and none if only one bracket is there",
        arguments: [
            ("a.test", "a.test"), ("a.test:81", "a.test"), ("[fe80::1]:81", "fe80::1"),
            ("[fe80::1", nil), ("[ab", nil), ("ab]", nil), ("ab]:81", nil), ("[]", nil), ("", nil),
        ] as [(String, String?)]
    )
    func overridingHost(field: String, host: String?) throws {
        let url = try #require(URL(string: "http://h/"))
        let origin = try #require(Origin(url))
        #expect(CookieURL(url, origin, authority: field)?.host == host)
    }

    @Test(
        "ends at a path boundary",
        arguments: [
            ("/", "/", true), ("/", "/a", true), ("/a", "/a", true), ("/a", "/a/", true),
            ("/a", "/a/b", true), ("/a/", "/a/b", true), ("/a", "/ab", false), ("/a/", "/a", false),
            ("/a", "/", false), ("/a", "/A", false), ("/a", "/a?b", false), ("/a%2F", "/a/", false),
        ]
    )
    func path(path: String, request: String, isSent: Bool) {
        #expect(CookieMatch.path(path, has: request) == isSent)
    }

    @Test(
        "includes subdomains, but not of IP addresses",
        arguments: [
            ("example.com", "example.com", true), ("example.com", "a.example.com", true),
            ("example.com", "a.b.example.com", true), ("example.com", "aexample.com", false),
            ("a.example.com", "example.com", false), ("", "example.com", false),
            ("0.0.1", "127.0.0.1", false), ("0.0.190", "10.0.0.190", false),
            ("127.0.0.1", "127.0.0.1", true), ("1", "::1", false),
            ("::1", "::1", true), ("com.", "example.com.", true), ("1.com", "a.1.com", true),
        ]
    )
    func domain(domain: String, host: String, isSent: Bool) {
        #expect(CookieMatch.domain(domain, has: host) == isSent)
    }

    @Test("takes a host for an address by its last label alone")
    func labels() {
        let labels = ["1", "127", "a", "1a", "a1"]
        for first in labels {
            for last in labels {
                let isName = last.contains { !$0.isNumber }
                #expect(CookieMatch.domain("x.\(last)", has: "\(first).x.\(last)") == isName)
            }
        }
    }

    @Test(
        "accepts exactly the hosts that URLs have",
        arguments: [
            ("h", true), ("a.h", true), ("127.0.0.1", true), ("::1", true), ("xn--a", true),
            ("H", false), ("", false), ("a/b", false), ("[::1]", false), ("u@h", false),
            ("a b", false), ("a?", false), ("a#", false), ("ä", false), ("a\n", false),
            ("!~", true), ("a\u{7F}", false), ("A", false), ("Z", false), ("a\\b", false),
            ("a]", false),
        ]
    )
    func hosts(text: String, isHost: Bool) {
        #expect(CookieURL.isHost(text) == isHost)
    }
}
