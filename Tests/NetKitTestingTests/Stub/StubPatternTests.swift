import Foundation
import NetKit
@testable import NetKitTesting
import Testing

@Suite("Stub route patterns")
struct StubPatternTests {
    @Test(
        "matches the paths and queries of its pattern",
        arguments: [
            ("/users", "/users", [:]), ("users", "/users", [:]), ("/users", "/users/", nil),
            ("/users/", "/users", nil), ("/users", "/user", nil), ("/", "/", [:]), ("", "", [:]),
            ("/users/{id}", "/users/7", ["id": "7"]), ("/users/:id", "/users/7", ["id": "7"]),
            ("/users/{id}", "/users/", nil), ("/users/{id}", "/users/7/8", nil),
            ("/users/{id}", "/users/a%2Fb%20%C3%BC", ["id": "a/b ü"]),
            ("/a b/ü", "/a%20b/%C3%BC", [:]), ("/a%20b", "/a%20b", [:]),
            ("/{a}/x/{b}", "/1/x/2", ["a": "1", "b": "2"]),
            ("/{name}.json", "/a.b.json", ["name": "a.b"]), ("/{name}.json", "/.json", nil),
            ("/{name}.json", "/a.jsonx", nil),
            ("/v{major}.{minor}", "/v1.20", ["major": "1", "minor": "20"]),
            ("/{a}{b}", "/xyz", ["a": "x", "b": "yz"]), ("/{open", "/%7Bopen", [:]),
            ("/:", "/:", [:]), ("/users:all", "/users:all", [:]),
            ("/files/*", "/files/a/b", [:]), ("/files/*", "/files", [:]), ("/*", "/", [:]),
            ("/files/*", "/file/a", nil), ("/{a}/*", "/1/2/3", ["a": "1"]),
            ("/c/{file*}", "/c/a/b%20c/d", ["file": "a/b c/d"]),
            ("/c/{file*}", "/c/a", ["file": "a"]),
            ("/c/{file*}", "/c", nil), ("/c/{file*}/raw", "/c/a/b/raw", ["file": "a/b"]),
            ("/c/{file*}/raw", "/c/raw", nil),
            ("/{file*}/{id}", "/a/b/7", ["file": "a/b", "id": "7"]),
            ("/{a}/{file*}/*", "/1/2/3", ["a": "1", "file": "2/3"]),
            ("/s?q=a b", "/s?x=1&q=a+b", [:]), ("/s?q=a", "/s?q=b", nil), ("/s?q=a", "/s", nil),
            ("/s?page={page}", "/s?page=3&page=4", ["page": "3"]), ("/s?q=", "/s?q=", [:]),
            ("https://nest.invalid/a", "/a", [:]), ("https://else.invalid/a", "/a", nil),
            ("HTTPS://NEST.invalid", "/", [:]), ("https://nest.invalid:8080/a", "/a", nil),
            ("https://nest.invalid:443/a", "/a", [:]), ("http://nest.invalid/a", "/a", nil),
            ("https://u:p@nest.invalid/{id}?q={q}", "/7?q=1", ["id": "7", "q": "1"]),
            ("https://nest.invalid/a#b", "/a", [:]), ("https://nest%/a", "/a", nil),
            ("/C#/{id}", "/C%23/7", ["id": "7"]), ("C#?q=#", "/C%23?q=%23", [:]),
            ("/%7Bid%7D", "/%7Bid%7D", [:]), ("/%7Bid%7D", "/7", nil), ("/%3Aid", "/7", nil),
            ("/files/%2A", "/files/*", [:]), ("/files/%2A", "/files/a", nil),
            ("/s?q=%7B%22a%22%3A1%7D", "/s?q=%7B%22a%22:1%7D", [:]),
            ("/s?q=%7Ba%7D", "/s?q=b", nil),
            ("/s?q=:1", "/s?q=:1", [:]), ("/s?q=:1", "/s?q=:2", nil),
            ("/s?q={%C3%BC}", "/s?q=a+b", ["ü": "a b"]), ("/s?a%20b=c%2Bd", "/s?a+b=c%2Bd", [:]),
        ] as [(String, String, [String: String]?)]
    )
    func match(pattern: String, path: String, parameters: [String: String]?) throws {
        let url = try #require(URL(string: "https://nest.invalid" + path))
        #expect(StubPattern(.get, pattern).match(.get, url) == parameters)
        #expect(StubPattern(nil, pattern).match(.custom("X"), url) == parameters)
        #expect(StubPattern(.get, pattern).match(.head, url) == parameters)
        #expect(StubPattern(.post, pattern).match(.get, url) == nil)
    }

    @Test(
        "matches below a base path",
        arguments: [
            ("/v1", "users", "/v1/users"), ("v1/", "/users", "/v1/users"), ("/v1", "", "/v1"),
            ("/v1", "", "/v1/"), ("/v1", "/", "/v1"), ("/v1", "/", "/v1/"), ("/v1/", "", "/v1/"),
            ("/a%20b", "x", "/a%20b/x"), ("/v1", "https://nest.invalid/x", "/x"),
        ]
    )
    func base(base: String, pattern: String, path: String) throws {
        let url = try #require(URL(string: "https://nest.invalid" + path))
        #expect(StubPattern(.get, pattern, below: base).match(.get, url) == [:])
    }

    @Test("ranks patterns by their edit distance to a request")
    func distance() throws {
        let url = try #require(URL(string: "https://nest.invalid/users/7"))
        let patterns: [(HTTPMethod, String)] = [
            (.get, "/users/{id}"), (.post, "/users/{id}"), (.get, "/user/{id}/x"),
            (.get, "/something/else/at/all"),
        ]
        let distances = patterns.map { StubPattern($0, $1).distance(to: .get, url) }
        #expect(distances.first == 0)
        #expect(distances == distances.sorted())
        #expect(Set(distances).count == distances.count)
    }
}
