import Foundation
import Testing

@testable import NetKit

@Suite("Base URL")
struct BaseURLTests {
    private func base(_ text: String) throws -> BaseURL {
        try BaseURL(try #require(URL(string: text)))
    }

    @Test(
        "writes scheme and host in lowercase, and drops the user info and fragment",
        arguments: [
            ("HTTP://Host.TEST/API", "http://host.test", "/API"),
            ("https://h.test:8443/a/#f", "https://h.test:8443", "/a"),
            ("http://user:secret@h.test/a", "http://h.test", "/a"),
            ("http://[FE80::1]:81", "http://[fe80::1]:81", ""),
            ("http://[FE80::1%25enP2]:81", "http://[fe80::1%25enP2]:81", ""),
            ("http://münchen.test/ä", "http://xn--mnchen-3ya.test", "/%C3%A4"),
            ("http://h.test:", "http://h.test", ""),
        ]
    )
    func parts(text: String, root: String, path: String) throws {
        let base = try base(text)
        #expect(base.root == root)
        #expect(base.path == path)
    }

    @Test("resolves a relative URL against its own base")
    func relative() throws {
        let url = try #require(
            URL(string: "v2?x=1", relativeTo: URL(string: "http://h.test/api/v1"))
        )
        let base = try BaseURL(url)
        #expect(base.root + base.path == "http://h.test/api/v2")
        #expect(base.query == "x=1")
    }

    @Test(
        "rejects a URL that no request can use",
        arguments: [
            "ftp://h.test", "file:///tmp", "mailto:a@b.test", "/path", "h.test", "http:///x",
            "http://h.test:0", "http://h.test:65536", "http://h.test:18446744073709551697",
            "http://a%2Fb.test", "data:text/plain,x", "http://u:p%E9@h.test", "http://%E9@h.test",
        ]
    )
    func refusals(text: String) throws {
        #expect(throws: InvalidRequest.self) { try base(text) }
    }

    @Test("names a rejected URL without its secrets")
    func redaction() throws {
        let error = #expect(throws: InvalidRequest.self) {
            try base("ftp://user:secret@h.test/x?token=hidden")
        }
        let description = try #require(error).description
        #expect(description.contains("ftp://h.test/x"))
        #expect(!description.contains("secret") && !description.contains("hidden"))
    }

    @Test(
        "moves user and password to Basic authentication",
        arguments: [
            ("http://u:p@h.test", AuthToken.basic(username: "u", password: "p")),
            ("http://u@h.test", .basic(username: "u", password: "")),
            ("http://u:p%3Aq%40@h.test", .basic(username: "u", password: "p:q@")),
            ("http://:p@h.test", .basic(username: "", password: "p")),
            ("http://@h.test", nil), ("http://h.test", nil),
        ]
    )
    func credentials(text: String, expected: AuthToken?) throws {
        #expect(try base(text).credentials == expected)
    }

    @Test(
        "names a scheme that could be one in its message",
        arguments: [
            ("ftp", true), ("git+ssh-2.x", true), (String(repeating: "s", count: 32), true),
            (String(repeating: "s", count: 33), false), ("", false), ("a_b", false), ("a b", false),
            ("ä", false), ("a[", false), ("AZaz09", true),
        ]
    )
    func schemes(scheme: String, isNamed: Bool) {
        let error = #expect(throws: InvalidRequest.self) {
            try BaseURL.url("\(scheme)://SECRET@h.test")
        }
        #expect(
            error?.description.contains("the scheme is \(scheme); write https or http") == isNamed
        )
        #expect(error?.description.contains("the text has no scheme") == !isNamed)
        #expect(error?.description.contains("SECRET") == false)
    }
}
