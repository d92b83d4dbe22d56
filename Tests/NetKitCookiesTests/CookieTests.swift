import Foundation
import Testing

@testable import NetKit
@testable import NetKitCookies

/// A moment for tests: Sat, 13 Feb 2027 12:00:00 GMT.
let cookieDate = Date(timeIntervalSince1970: 1_802_520_000)

/// The cookie that a field sets, by the rules.
func cookie(_ field: String, from url: String, at date: Date = cookieDate) throws -> Cookie? {
    Cookie(setCookie: field, from: try #require(URL(string: url)), at: date)
}

@Suite("Cookie")
struct CookieTests {
    @Test(
        "keeps the name and value as written",
        arguments: [
            ("a=b", "a", "b"), (" a = b ", "a", "b"), ("\ta\t=\tb\t", "a", "b"),
            ("a=b=c", "a", "b=c"),
            ("a=", "a", ""), ("a=\"b c\"", "a", "\"b c\""), ("a=b, c=d", "a", "b, c=d"),
            ("a=b;", "a", "b"), ("a=b;;;;Secure=x", "a", "b"), ("a b=c d", "a b", "c d"),
            ("ä=ö", "ä", "ö"), ("a=x\ty", "a", "x\ty"), ("a=%20+", "a", "%20+"),
        ]
    )
    func pair(field: String, name: String, value: String) throws {
        let cookie = try #require(try cookie(field, from: "https://h.test/"))
        #expect(cookie.name == name)
        #expect(cookie.value == value)
    }

    @Test(
        "is nil for a field without a name or with a control character",
        arguments: [
            "b", "=b", "==b", "b; path=/", " =b", "", "=", " ; a=b", " = ; Path=/", "a=b\u{0}",
            "a=\r\nb", "a\u{1F}=b", "a=b; \u{7F}",
        ]
    )
    func ignored(field: String) throws {
        #expect(try cookie(field, from: "https://h.test/") == nil)
    }

    @Test("parses all attributes in any case and order, and ignores unknown ones")
    func attributes() throws {
        let field =
            "id=1; SAMESITE=lAx ;priority=high; httponly; Path=/a/b ; sEcUrE=no; "
            + "domain = .Example.COM; max-age=60"
        let cookie = try #require(try cookie(field, from: "https://www.example.com/x/y"))
        #expect(cookie.domain == "example.com" && !cookie.isHostOnly)
        #expect(cookie.path == "/a/b")
        #expect(cookie.expires == cookieDate.addingTimeInterval(60))
        #expect(cookie.isSecure && cookie.isHTTPOnly && cookie.sameSite == .lax)
    }

    @Test(
        "ignores attributes without a value",
        arguments: [
            "Domain", "Domain=", "Path", "Path=", "Max-Age", "Expires", "SameSite", "Max-Age=",
        ]
    )
    func emptyAttributes(attribute: String) throws {
        let cookie = try #require(try cookie("id=1; \(attribute)", from: "http://h.test/x/y"))
        #expect(cookie.domain == "h.test" && cookie.isHostOnly)
        #expect(cookie.path == "/x")
        #expect(cookie.expires == nil && cookie.sameSite == nil)
    }

    @Test("is a session cookie for its host and default path without attributes")
    func defaults() throws {
        let cookie = try #require(try cookie("id=1", from: "http://WWW.Example.com/x/y?q/z"))
        #expect(cookie.domain == "www.example.com" && cookie.isHostOnly)
        #expect(cookie.path == "/x")
        #expect(cookie.expires == nil && cookie.sameSite == nil)
        #expect(!cookie.isSecure && !cookie.isHTTPOnly)
    }

    @Test(
        "uses the last of a repeated attribute, and ignores invalid ones",
        arguments: [
            ("Path=/a; Path=/b", "/b"), ("Path=/a; Path=b", "/x"), ("Path=/a; Path=", "/x"),
            ("Path=\"/a\"", "/x"), ("Path=/a?b", "/a?b"),
            ("Path=/a; Path=/" + String(repeating: "b", count: 1024), "/a"),
            (
                "Path=/" + String(repeating: "b", count: 1023),
                "/" + String(repeating: "b", count: 1023)
            ),
        ] as [(String, String)]
    )
    func path(attributes: String, path: String) throws {
        #expect(try cookie("a=b; \(attributes)", from: "http://h.test/x/y")?.path == path)
    }

    @Test(
        "expires by Max-Age, then by Expires, within 400 days",
        arguments: [
            ("Max-Age=60", 60.0), ("Max-Age=1; Max-Age=2", 2), ("Max-Age=1; Max-Age=x", 1),
            ("Max-Age=60; Expires=Sat, 13 Feb 2027 12:00:05 GMT", 60),
            ("Expires=Sat, 13 Feb 2027 12:00:05 GMT", 5),
            ("Expires=Sat, 13 Feb 2027 12:00:05 GMT; Expires=never", 5),
            ("Max-Age=+5; Expires=Sat, 13 Feb 2027 12:00:05 GMT", 5),
            ("Max-Age=34560000", 34_560_000), ("Max-Age=34560001", 34_560_000),
            ("Max-Age=99999999999999999999999999999999", 34_560_000),
            ("Expires=Fri, 31 Dec 9999 23:59:59 GMT", 34_560_000),
            ("Max-Age=\(String(repeating: "9", count: 1024))", 34_560_000),
            ("Expires=Sat, 13 Feb 2027 11:59:59 GMT", -1),
        ] as [(String, Double)]
    )
    func expiry(attributes: String, seconds: Double) throws {
        let found = try cookie("a=b; \(attributes)", from: "http://h.test/")
        #expect(found?.expires == cookieDate.addingTimeInterval(seconds))
    }

    @Test(
        "is expired by a Max-Age of zero or less",
        arguments: ["0", "-0", "-1", "-99999999999999999999", "00"]
    )
    func deletion(age: String) throws {
        #expect(try cookie("a=b; Max-Age=\(age)", from: "http://h.test/")?.expires == .distantPast)
    }

    @Test(
        "ends with the session when neither attribute is valid",
        arguments: [
            "Max-Age", "Max-Age=", "Max-Age=-", "Max-Age=1.5", "Max-Age= x", "Expires=soon",
        ]
    )
    func session(attributes: String) throws {
        let cookie = try #require(try cookie("a=b; \(attributes)", from: "http://h.test/"))
        #expect(cookie.expires == nil)
    }

    @Test(
        "requires a domain that includes its host and isn't a public suffix",
        arguments: [
            ("www.example.com", "example.com", "example.com"),
            ("www.example.com", ".example.com", "example.com"),
            ("www.example.com", "WWW.EXAMPLE.COM", "www.example.com"),
            ("www.example.com", "", "=www.example.com"),
            ("www.example.com", ".", "=www.example.com"),
            ("www.example.com", "ample.com", nil), ("www.example.com", "a.www.example.com", nil),
            ("www.example.com", "other.com", nil), ("www.example.com", "com", nil),
            ("www.example.com", "..example.com", nil), ("www.example.com", "example.com.", nil),
            ("www.example.com", "example.cöm", nil), ("www.example.com", "example.com:80", nil),
            ("a.b.co.uk", "b.co.uk", "b.co.uk"), ("a.b.co.uk", "co.uk", nil),
            ("co.uk", "co.uk", "=co.uk"), ("localhost", "localhost", "=localhost"),
            ("a.localhost", "localhost", nil), ("me.github.io", "github.io", nil),
            ("127.0.0.1", "127.0.0.1", "127.0.0.1"), ("127.0.0.1", "0.0.1", nil),
            ("[::1]", "", "=::1"),
            ("bücher.example", "xn--bcher-kva.example", "xn--bcher-kva.example"),
        ] as [(String, String, String?)]
    )
    func domain(host: String, domain: String, expected: String?) throws {
        let found = try cookie("a=b; Domain=\(domain)", from: "http://\(host)/")
        #expect(found.map { ($0.isHostOnly ? "=" : "") + $0.domain } == expected)
    }

    @Test("uses the last Domain that isn't too long")
    func lastDomain() throws {
        let long = String(repeating: "a", count: 1025)
        let field = "a=b; Domain=other.com; Domain=example.com; Domain=\(long)"
        #expect(try cookie(field, from: "http://www.example.com/")?.domain == "example.com")
        let none = "a=b; Domain=example.com; Domain="
        #expect(try cookie(none, from: "http://www.example.com/")?.isHostOnly == true)
    }

    @Test(
        "can be secure only from https and the local machine",
        arguments: [
            ("https://h.test", true), ("http://h.test", false), ("HTTP://h.test", false),
            ("http://localhost:8080", true), ("http://a.localhost", true),
            ("http://127.8.0.1", true),
            ("http://[::1]:80", true), ("http://127.h.test", false),
            ("http://localhost.h.test", false),
        ]
    )
    func secure(url: String, isKept: Bool) throws {
        let found = try cookie("a=b; Secure", from: url)
        #expect((found != nil) == isKept)
        #expect(try cookie("a=b", from: url) != nil)
    }

    @Test(
        "enforces its name prefix, in any case",
        arguments: [
            ("__Secure-a=b; Secure", true), ("__Secure-a=b", false), ("__SECURE-a=b", false),
            ("__Host-a=b; Secure; Path=/", true), ("__Host-a=b; Secure; Path=", true),
            ("__Host-a=b; Secure", false), ("__host-a=b; Path=/", false),
            ("__Host-a=b; Secure; Path=/a", false), ("__Host-=b; Secure", false),
            ("__hOsT-a=b; Secure; Path=/; Domain=h.test", false),
            ("__Host-a=b; Secure; Path=/; Domain=", true),
            ("__Host-\u{301}a=b", false), ("_Host-a=b", true), ("__Hos=b", true),
            ("a=__Host-", true),
            ("a=b; SameSite=None", false), ("a=b; SameSite=none; Secure", true),
            ("a=b; SameSite=Strict", true), ("a=b; SameSite=None; SameSite=x", true),
        ]
    )
    func promises(field: String, isKept: Bool) throws {
        let found = try cookie(field, from: "https://h.test/")
        #expect((found != nil) == isKept)
    }

    @Test(
        "has at most 4,096 bytes of name and value, and ignores attributes above 1,024",
        arguments: [(4096, "a", true), (4097, "a", false), (2047, "ä", true), (2048, "ä", false)]
    )
    func limits(count: Int, letter: String, isKept: Bool) throws {
        let value = String(repeating: letter, count: letter == "a" ? count - 1 : count)
        let name = letter == "a" ? "n" : "nn"
        let found = try cookie("\(name)=\(value)", from: "https://h.test/")
        #expect((found != nil) == isKept)
        let padding = String(repeating: "x", count: 1025)
        let padded = try cookie("a=b; Secure=\(padding); HttpOnly", from: "https://h.test/")
        #expect(padded?.isSecure == false && padded?.isHTTPOnly == true)
    }

    @Test("is nil for a URL that isn't http", arguments: ["ftp://h.test/", "file:///a", "a"])
    func schemes(url: String) throws {
        #expect(try cookie("a=b", from: url) == nil)
    }

    @Test("never prints its value")
    func descriptions() throws {
        let cookie = try #require(try cookie("sid=s3cret", from: "http://h.test/a/b"))
        var dumped = ""
        dump([cookie], to: &dumped)
        let texts = ["\(cookie)", String(reflecting: cookie), dumped, "\(Optional(cookie) as Any)"]
        #expect(texts.allSatisfy { !$0.contains("s3cret") && $0.contains("sid for h.test/a") })
    }
}
