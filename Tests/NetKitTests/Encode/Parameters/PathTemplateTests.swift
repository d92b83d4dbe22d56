import Foundation
import Testing

@testable import NetKit

@Suite("Path template")
struct PathTemplateTests {
    private struct Two: Request {
        typealias ResponseObjectType = Data
        var path = "users/{userId}/todos/{id}"
        @Path("id") var id = "1"
        @Path("userId") var userId = "2"
    }

    private struct Patterned: Request {
        typealias ResponseObjectType = Data
        let path: String
        @Path("id", encoding: PathEncoding(pattern: "##key##")) var id = 7
        @Path("id2", encoding: PathEncoding(pattern: ":key")) var second = 8
        @Path("id", encoding: PathEncoding(pattern: ":key")) var first = 9
    }

    private struct Files<Value: Sendable>: Request {
        typealias ResponseObjectType = Data
        var path = "contents/{file}/raw"
        @Path("file", encoding: .segments) var file: Value

        init(_ file: Value) { self.file = file }
    }

    private struct ColonFiles: Request {
        typealias ResponseObjectType = Data
        let path = "x/:file?copy=:file"
        @Path("file", encoding: PathEncoding(pattern: ":key", spansSegments: true))
        var file = "a b/c"
    }

    private struct Written: Request {
        typealias ResponseObjectType = Data
        let path = "a+b;c/{id}"
        @Path("id") var id = "d+e"
    }

    private struct OnePlace: Request {
        typealias ResponseObjectType = Data
        let path: String
        @Path("id") var id = 7

        init(_ path: String, pattern: String) {
            self.path = path
            _id = Path(wrappedValue: 7, "id", encoding: PathEncoding(pattern: pattern))
        }
    }

    private struct Unnamed: Request {
        typealias ResponseObjectType = Data
        var path = "x/{id}"
        @Path("id", encoding: PathEncoding(pattern: "")) var id = 7
    }

    private let endpoint = SampleEndpoint(base: "http://host.test")

    @Test(
        "replaces a placeholder by one segment",
        arguments: [
            ("a b", "a%20b"), ("a/b", "a%2Fb"), ("?", "%3F"), ("#", "%23"), ("%", "%25"),
            ("%2F", "%252F"), ("..a", "..a"), ("a/..", "a%2F.."), ("../x", "..%2Fx"),
            ("é", "%C3%A9"),
            ("{userId}", "%7BuserId%7D"), ("a;b=c,d:e@f", "a;b=c,d:e@f"), ("\r\n", "%0D%0A"),
            ("\u{0}", "%00"), ("\\", "%5C"), ("https://evil.test", "https:%2F%2Fevil.test"),
        ]
    )
    func segments(value: String, expected: String) throws {
        let request = Two(id: value)
        #expect(try endpoint.url(request) == "http://host.test/users/2/todos/\(expected)")
    }

    @Test(
        "escapes all but unreserved characters if the endpoint is strict",
        arguments: [
            ("!$&'()*+,;=:@", "%21%24%26%27%28%29%2A%2B%2C%3B%3D%3A%40"), ("aZ09-._~", "aZ09-._~"),
            ("a/b?c#d%", "a%2Fb%3Fc%23d%25"), ("é", "%C3%A9"), ("..a", "..a"),
        ]
    )
    func strict(value: String, expected: String) throws {
        var endpoint = endpoint
        endpoint.escapesPathValuesStrictly = true
        #expect(
            try endpoint.url(Two(id: value)) == "http://host.test/users/2/todos/\(expected)"
        )
        // Slashes between segments stay, and so does the path's own text.
        #expect(
            try endpoint.url(ColonFiles(file: "a+b/c=d"))
                == "http://host.test/x/a%2Bb/c%3Dd?copy=a%2Bb%2Fc%3Dd"
        )
        #expect(try endpoint.url(Written()) == "http://host.test/a+b;c/d%2Be")
        #expect(throws: InvalidRequest.self) { try endpoint.url(Two(id: "..")) }
    }

    @Test("decodes back to the given value, in one segment", arguments: AwkwardText.all)
    func roundTrip(value: String) throws {
        guard !value.isEmpty else { return }
        let url = try endpoint.url(Two(id: value))
        let segments = url.dropFirst("http://host.test/".count).split(separator: "/")
        #expect(segments.count == 4)
        let read = percentDecoded(segments[3])
        #expect(Array(read.utf8) == Array(value.utf8))
    }

    @Test(
        "inserts several segments, each percent-encoded separately",
        arguments: [
            ("a", "a"), ("a/b c/d", "a/b%20c/d"), ("a?/#/%2F", "a%3F/%23/%252F"),
            ("..a/b..", "..a/b.."), ("%2e%2e/x", "%252e%252e/x"), ("é/{id}", "%C3%A9/%7Bid%7D"),
        ]
    )
    func severalSegments(value: String, expected: String) throws {
        let url = "http://host.test/contents/\(expected)/raw"
        #expect(try endpoint.url(Files(value)) == url)
        #expect(try endpoint.url(Files(Optional(value))) == url)
        #expect(try endpoint.url(Files(value.split(separator: "/"))) == url)
    }

    @Test("inserts an array as segments, and percent-encodes a slash in one")
    func segmentsOfArray() throws {
        #expect(
            try endpoint.url(Files(["a/b", "c"] as [String]))
                == "http://host.test/contents/a%2Fb/c/raw"
        )
        #expect(
            try endpoint.url(Files(Optional(["a/b", "c"])))
                == "http://host.test/contents/a%2Fb/c/raw"
        )
        #expect(try endpoint.url(Files([2026, 11])) == "http://host.test/contents/2026/11/raw")
        #expect(
            try endpoint.url(ColonFiles()) == "http://host.test/x/a%20b/c?copy=a%20b%2Fc"
        )
    }

    @Test(
        "rejects segments that leave the path",
        arguments: ["", "/", "/a", "a/", "a//b", ".", "a/./b", "..", "../a", "a/../..", "a/.."]
    )
    func unsafeSegments(value: String) throws {
        #expect(try endpoint.refusal(Files(value)) == .unsafePathParameter("file"))
        let segments = value.split(separator: "/", omittingEmptySubsequences: false)
        #expect(try endpoint.refusal(Files(segments)) == .unsafePathParameter("file"))
    }

    @Test("rejects an empty array and nil")
    func noSegments() throws {
        #expect(try endpoint.refusal(Files([String]())) == .unsafePathParameter("file"))
        #expect(try endpoint.refusal(Files(String?.none)) == .missingPathParameter("file"))
        #expect(
            try endpoint.refusal(Files([nil, "a"] as [String?])) == .missingPathParameter("file")
        )
    }

    @Test("rejects an unsafe segment", arguments: ["", ".", ".."])
    func unsafe(value: String) throws {
        #expect(try endpoint.refusal(Two(id: value)) == .unsafePathParameter("id"))
    }

    @Test(
        "rejects a placeholder without a value, and a value without a placeholder",
        arguments: [
            ("{userId}/{id}/{other}", "other"), ("{userId}", "id"), ("{id}", "userId"), ("", "id"),
            ("{ userId }/{id}", "userId"), ("{USERID}/{id}", "USERID"),
            ("{id}/{userId}/{a.b}", "a.b"), ("{id}/{userId}/{a-b}", "a-b"),
            ("{id}/{userId}/{a_1}", "a_1"), ("{id}/{userId}/{é2}", "é2"),
        ]
    )
    func missing(path: String, name: String) throws {
        let refusal = try endpoint.invalid(Two(path: path))
        #expect(refusal?.reason == .missingPathParameter(name))
        let isParameter = ["id", "userId"].contains(name)
        #expect(
            refusal?.message
                == (isParameter
                    ? "@Path(\"\(name)\") has no place: the path has no {\(name)}"
                    : "the path has {\(name)}, but no @Path(\"\(name)\")")
        )
    }

    @Test("finds an unfilled placeholder in a request without parameters, and no other braces")
    func leftOver() throws {
        #expect(try endpoint.refusal(Sample(path: "a/{id}")) == .missingPathParameter("id"))
        #expect(
            try endpoint.url(Sample(path: "a/{}/{a b}/{"))
                == "http://host.test/a/%7B%7D/%7Ba%20b%7D/%7B"
        )
    }

    @Test(
        "refuses a URI template that isn't expanded, but none in a query",
        arguments: [
            ("assets{?name,label}", "{?name,label}"), ("a{/b}/c", "{/b}"), ("{+x}", "{+x}"),
            ("a?q={?x}", nil), ("a{?x", nil), ("a{\"b\":1}", nil),
        ] as [(String, String?)]
    )
    func expressions(path: String, expression: String?) throws {
        let refusal = try endpoint.invalid(Sample(path: path))
        #expect(refusal?.reason == expression.map { .missingPathParameter($0) })
        #expect(
            refusal?.message
                == expression.map {
                    "the path is a URI template (RFC 6570): expand \($0), or cut it off"
                }
        )
    }

    @Test("replaces every occurrence, and percent-encodes one in a query as a query value")
    func occurrences() throws {
        let request = Two(path: "{id}/{userId}/{id}?q={id}&r=1", id: "a&b/c")
        #expect(
            try endpoint.url(request) == "http://host.test/a&b%2Fc/2/a&b%2Fc?q=a%26b%2Fc&r=1"
        )
    }

    @Test("supports other patterns, the longest first")
    func patterns() throws {
        let url = try endpoint.url(Patterned(path: "x/##id##/:id2/:id"))
        #expect(url == "http://host.test/x/7/8/9")
        #expect(try endpoint.refusal(Patterned(path: "x/:id2/:id")) == .missingPathParameter("id"))
        #expect(try endpoint.refusal(Unnamed(path: "x")) == .missingPathParameter("id"))
    }

    @Test(
        "names the placeholders before the query, whatever their pattern",
        arguments: [
            ("{key}", "users/{id}", "users/{id}"), ("##key##", "users/##id##", "users/{id}"),
            ("<key>", "users/<id>/x", "users/{id}/x"),
            (":key", "/users/:id?x=:id", "/users/{id}?x={id}"),
            ("{key}", "a:b/##c##/{id}", "a:b/##c##/{id}"),
            ("{key}", "items/42:archive?v={id}", nil), ("{key}", "items/{}?v={id}", nil),
            ("##key##", "https://other.test/##id###f", "https://other.test/{id}#f"),
            ("{key}", "https://other.test/a#{id}", nil),
        ] as [(String, String, String?)]
    )
    func template(pattern: String, path: String, expected: String?) throws {
        #expect(try endpoint.encode(OnePlace(path, pattern: pattern)).pathTemplate == expected)
        #expect(try endpoint.encode(Sample(path: "users/:id")).pathTemplate == nil)
    }
}
