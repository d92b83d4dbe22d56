import Foundation
import Testing

@testable import NetKit

@Suite("Target URL")
struct TargetURLTests {
    private let host = "http://host.test"

    private func url(base: String, path: String, _ query: [(String, String)] = []) throws -> String
    {
        try SampleEndpoint(base: base).url(Sample(path: path, queryParams: query))
    }

    @Test(
        "joins base and path with one slash",
        arguments: [
            ("http://host.test/api", "x", "/api/x"),
            ("http://host.test/api", "/x", "/api/x"),
            ("http://host.test/api/", "x", "/api/x"),
            ("http://host.test/api/", "/x", "/api/x"),
            ("http://host.test", "x", "/x"),
            ("http://host.test/", "/x", "/x"),
            ("http://host.test/api", "", "/api"),
            ("http://host.test/api/", "", "/api/"),
            ("http://host.test/api", "/", "/api/"),
            ("http://host.test/api", "x/", "/api/x/"),
            ("http://host.test/api", "x//y", "/api/x//y"),
            ("http://host.test", "", ""),
        ]
    )
    func joining(base: String, path: String, expected: String) throws {
        #expect(try url(base: base, path: path) == host + expected)
    }

    @Test(
        "keeps the path's spelling, and encodes invalid characters",
        arguments: [
            ("a b", "a%20b"), ("a%20b", "a%20b"), ("a%2Fb c", "a%2Fb%20c"), ("100%", "100%25"),
            ("%zz", "%25zz"), ("%4", "%254"), ("é/日本", "%C3%A9/%E6%97%A5%E6%9C%AC"),
            ("🙂", "%F0%9F%99%82"), ("a\r\nX: y", "a%0D%0AX:%20y"), ("\u{0}", "%00"),
            ("a|b^c`d", "a%7Cb%5Ec%60d"), ("a\\b", "a%5Cb"), ("[1]", "%5B1%5D"),
            ("a+b;c=1,2:@!$&'()*~", "a+b;c=1,2:@!$&'()*~"), ("/\u{301}x", "%CC%81x"),
            ("\u{202E}", "%E2%80%AE"), ("\"<>", "%22%3C%3E"),
        ]
    )
    func literalPath(path: String, expected: String) throws {
        #expect(try url(base: host, path: path) == "\(host)/\(expected)")
    }

    @Test(
        "never takes another host from a path that looks like a URL",
        arguments: [
            ("//evil.test/x", "//evil.test/x"), ("///evil.test", "///evil.test"),
            ("\\\\evil.test", "/%5C%5Cevil.test"), ("@evil.test", "/@evil.test"),
            (":80@evil.test", "/:80@evil.test"), ("ftp://evil.test/x", "/ftp://evil.test/x"),
            ("javascript:alert(1)", "/javascript:alert(1)"),
            ("http:/evil.test", "/http:/evil.test"),
            (" https://evil.test", "/%20https://evil.test"), (".evil.test", "/.evil.test"),
        ]
    )
    func otherHosts(path: String, expected: String) throws {
        let url = try #require(URL(string: try url(base: host, path: path)))
        #expect(url.host == "host.test")
        #expect(url.absoluteString == host + expected)
    }

    @Test(
        "resolves dot segments, never above the base",
        arguments: [
            ("a/./b", "/api/a/b"), ("a/../b", "/api/b"), ("../b", "/api/b"), ("../../..", "/api/"),
            ("a/..", "/api/"), (".", "/api/"), ("a/.", "/api/a/"),
            ("a/b/../../../../etc", "/api/etc"),
            ("%2e%2E/b", "/api/b"), (".%2e/b", "/api/b"), ("%2e/b", "/api/b"), ("...", "/api/..."),
            ("..a/.b/c..", "/api/..a/.b/c.."), ("/..//b", "/api//b"), ("a/..%2Fb", "/api/a/..%2Fb"),
            ("v1.0/x.json", "/api/v1.0/x.json"), ("a?b=../c", "/api/a?b=../c"),
            ("%2e%2f", "/api/%2e%2f"),
        ]
    )
    func dotSegments(path: String, expected: String) throws {
        #expect(try url(base: host + "/api", path: path) == host + expected)
    }

    @Test(
        "resolves the base's own dot segments",
        arguments: [("/a/../b", "/b/x"), ("/../a", "/a/x"), ("/a/..", "/x"), ("/a/./", "/a/x")]
    )
    func baseDots(base: String, expected: String) throws {
        #expect(try url(base: host + base, path: "x") == host + expected)
    }

    @Test("sends the queries of base, path and request in order, with repeated names")
    func queryOrder() throws {
        let url = try url(base: host + "/api?k=v&a=0", path: "x?a=1&b", [("a", "2"), ("b", "")])
        #expect(url == host + "/api/x?k=v&a=0&a=1&b&a=2&b=")
    }

    @Test(
        "writes no empty query",
        arguments: [("", "x"), ("?", "x"), ("", "x?"), ("?", "x?")]
    )
    func emptyQuery(base: String, path: String) throws {
        #expect(try url(base: host + base, path: path) == host + "/x")
    }

    @Test(
        "keeps the spelling of the path's own query",
        arguments: [
            ("x?a=b+c&d=%2B", "x?a=b+c&d=%2B"), ("x?a=b c", "x?a=b%20c"), ("x?é", "x?%C3%A9"),
            ("x?a=?/:@", "x?a=?/:@"), ("x?a[]=1", "x?a%5B%5D=1"), ("x?a=1#f", "x?a=1%23f"),
            ("x#?a=1", "x%23?a=1"), ("?#", "?%23"), ("?a=1", "?a=1"), ("x?a=50%", "x?a=50%25"),
        ]
    )
    func pathQuery(path: String, expected: String) throws {
        let separator = expected.isEmpty || expected.hasPrefix("?") ? "" : "/"
        #expect(try url(base: host, path: path) == host + separator + expected)
    }

    @Test(
        "encodes a number sign in a path, which is never a fragment",
        arguments: [
            ("tags/c#", "tags/c%23"), ("#f", "%23f"), ("a#b/c#d", "a%23b/c%23d"),
            ("a%23b", "a%23b"), ("file://h/x#f", "file://h/x%23f"),
        ]
    )
    func numberSign(path: String, expected: String) throws {
        #expect(try url(base: host, path: path) == host + "/" + expected)
    }

    @Test("sends a query that a form server reads back unchanged", arguments: AwkwardText.all)
    func queryRoundTrip(text: String) throws {
        let url = try url(base: host, path: "x", [("q", text), (text, "v"), ("last", "1")])
        let query = try #require(url.split(separator: "?", maxSplits: 1).last)
        #expect(formDecoded(String(query)) == [["q", text], [text, "v"], ["last", "1"]])
        #expect(query.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "+") })
    }

    @Test(
        "uses an absolute path with its own query alone",
        arguments: [
            ("https://other.test/x?y=1", "https://other.test/x?y=1&q=2"),
            ("HTTPS://Other.TEST", "https://other.test?q=2"),
            ("http://other.test:8080/", "http://other.test:8080/?q=2"),
            ("https://other.test?y=a b", "https://other.test?y=a%20b&q=2"),
            ("https://other.test/a b/%2F?é#f", "https://other.test/a%20b/%2F?%C3%A9&q=2"),
            ("https://u:p@other.test/x", "https://other.test/x?q=2"),
            ("https://münchen.test/x", "https://xn--mnchen-3ya.test/x?q=2"),
            ("http://[::1]:80/x", "http://[::1]:80/x?q=2"),
            ("https://other.test/a/../../b", "https://other.test/b?q=2"),
            ("https://other.test//b", "https://other.test//b?q=2"),
        ]
    )
    func absolute(path: String, expected: String) throws {
        #expect(try url(base: host + "/api?k=v", path: path, [("q", "2")]) == expected)
    }

    @Test(
        "rejects an absolute path without a host",
        arguments: [
            "https://", "https:///x", "http://?x", "https://:80/x", "https://h:99999/x",
            "https://h:18446744073709551697/x",
            "https://h:0/x", "https://h:80:90/", "https://a b/x", "https://a%2Fb/x", "https://a|b/",
            "https://{h|}/x", "https://a\r\nb/", "https://a.test\\@b.test/",
            "https://a.test\\b.test",
            "https://a%00.b.test/", "https://[::1", "https://a:+80/x", "https://a: 80/x",
            "https://a\u{202E}/",
        ]
    )
    func badAbsolute(path: String) throws {
        let reason = try SampleEndpoint(base: host).refusal(Sample(path: path))
        guard case .invalidURL = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
    }
}
