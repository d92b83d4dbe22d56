import Foundation
import Testing

@testable import NetKitSupport

@Suite("Origin")
struct OriginTests {
    private func origin(_ text: String) throws -> Origin? {
        Origin(try #require(URL(string: text)))
    }

    @Test(
        "ignores letter case, path, user and default port",
        arguments: [
            ("http://h.test", "HTTP://H.Test:80/x?y#z"), ("https://h.test/", "https://H.TEST:443"),
            ("http://h.test:8080/a", "http://u:p@h.test:8080/b"),
            ("http://[::1]", "http://[::1]:80/"),
            ("http://[FE80::1]", "http://[fe80::1]"), ("http://h.test:", "http://h.test"),
            ("http://h.test:00080", "http://h.test"),
            ("http://h.test:65535", "http://h.test:65535"),
            ("http://h.test:81#a@b.test:82", "http://h.test:81?a@b.test:83"),
        ]
    )
    func same(left: String, right: String) throws {
        let origins = (try #require(try origin(left)), try #require(try origin(right)))
        #expect(origins.0 == origins.1)
        #expect(Set([origins.0, origins.1]).count == 1)
    }

    @Test(
        "finds the authority in the text of a URL, even an empty one",
        arguments: [
            ("http://h/p", "h"), ("http://u:p@h:1?q", "u:p@h:1"), ("http://h#/f", "h"),
            ("http://h", "h"), ("http:///p", ""), ("http://?//q", ""), ("http://", ""),
            ("x:/p", nil), ("http:/", nil), ("h", nil), ("", nil),
        ] as [(String, String?)]
    )
    func authority(url: String, expected: String?) {
        let found = Array(url.utf8)
            .withUnsafeBufferPointer { bytes in
                Authority.range(in: bytes)
                    .map { String(decoding: bytes[$0], as: UTF8.self) }
            }
        #expect(found == expected)
    }

    @Test("isn't overridden by a Host field with the same address")
    func sameHost() throws {
        for (url, field) in [
            ("http://[::1]:8080", "[::1]:8080"), ("http://[::1]", "[::1]"),
            ("http://[::1]", "[::1]:80"), ("http://H.test:81", "h.test:81"),
        ] {
            let origin = try #require(try origin(url))
            #expect(origin.override(by: field) == nil, "\(url)")
            #expect(origin.override(by: "x.test") == "x.test")
        }
    }

    @Test(
        "differs by scheme, host or port",
        arguments: [
            ("http://h.test", "https://h.test"), ("http://h.test:443", "https://h.test"),
            ("http://h.test", "http://h.test:81"), ("http://h.test", "http://www.h.test"),
            ("http://h.test", "http://h.test."), ("http://h.test", "http://h.test@evil.test"),
            ("http://127.0.0.1", "http://localhost"), ("http://[::1]", "http://[::2]"),
        ]
    )
    func different(left: String, right: String) throws {
        #expect(try #require(try origin(left)) != (try #require(try origin(right))))
    }

    @Test(
        "is nil for an invalid port or an ambiguous host",
        arguments: [
            "http://h.test:0", "http://h.test:65536", "http://127.0.0.1:99999/",
            "http://h.test:18446744073709551697/", "http://u:80@h.test:99999/",
            "http://[::1]:99999",
            "http://h.test:99999?x", "http://h.test:99999#x", "http://a%2Fb.test",
            "http://a%5Cb.test",
        ]
    )
    func unusable(text: String) throws {
        #expect(try origin(text) == nil)
    }

    @Test(
        "is nil for a URL other than http and https with a host",
        arguments: ["ftp://h.test", "file:///x", "/x", "h.test", "mailto:a@h.test", "http:///x"]
    )
    func none(text: String) throws {
        #expect(try origin(text) == nil)
    }

    @Test(
        "knows the hosts of this machine",
        arguments: [
            ("http://localhost", true), ("http://LOCALHOST:81/x", true),
            ("http://a.localhost", true),
            ("http://127.0.0.1", true), ("http://127.9.8.7:80", true), ("http://[::1]", true),
            ("http://localhost.test", false), ("http://notlocalhost", false),
            ("http://128.0.0.1", false),
            ("http://127.0.0.1.test", false), ("http://127.a", false), ("http://[::2]", false),
            ("http://h.test", false),
        ]
    )
    func loopback(text: String, isLoopback: Bool) throws {
        #expect(try #require(try origin(text)).isLoopback == isLoopback)
    }

    @Test(
        "says what keeps a URL from having an origin",
        arguments: [
            ("http://h.test", nil), ("ftp://h.test", "the scheme is ftp; write https or http"),
            ("/x", "it has no scheme: begin it with https://"), ("http:///x", "it has no host"),
            ("http://h.test:0", "the port must be from 1 to 65535"),
            ("http://h.test:65536", "the port must be from 1 to 65535"),
            ("http://a%2Fb.test", "the host has a percent sign"), ("http://[fe80::1%25eth0]", nil),
            ("http://[fe80::1%25%CC%81]", "the zone of the IPv6 address isn't ASCII"),
        ]
    )
    func problems(text: String, problem: String?) throws {
        #expect(Origin.problem(of: try #require(URL(string: text))) == problem)
    }

    @Test(
        "lowercases a URL's scheme, and nothing else",
        arguments: [
            ("HTTP://H.Test/A:B?C=D#E", "http://H.Test/A:B?C=D#E"),
            ("hTtPs://h/%C3", "https://h/%C3"), ("http://H/A", "http://H/A"), ("/A/B", "/A/B"),
            ("Zz://H/A", "zz://H/A"), ("A/B:C", "A/B:C"), ("Zz:A:B", "zz:A:B"),
        ]
    )
    func scheme(text: String, expected: String) throws {
        #expect(try #require(URL(string: text)).withLowercasedScheme.absoluteString == expected)
    }
}
