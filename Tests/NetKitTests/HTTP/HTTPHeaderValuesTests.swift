import Foundation
import Testing

@testable import NetKit

@Suite("Header values")
struct HTTPHeaderValuesTests {
    private static let moment = Date(timeIntervalSince1970: 784_111_777)
    private static let text = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func expectDate(_ name: HTTPHeaderName, _ path: WritableKeyPath<HTTPHeaders, Date?>) {
        var headers = HTTPHeaders()
        headers[keyPath: path] = Self.moment.addingTimeInterval(0.9)
        #expect(headers[name] == Self.text)
        #expect(headers[keyPath: path] == Self.moment)
        headers[name] = "Sunday, 06-Nov-94 08:49:37 GMT"
        #expect(headers[keyPath: path] == Self.moment)
        headers[name] = "0"
        #expect(headers[keyPath: path] == nil)
        headers[keyPath: path] = nil
        #expect(headers.isEmpty)
    }

    @Test("are dates where the field is one")
    func dates() {
        expectDate(.date, \.date)
        expectDate(.expires, \.expires)
        expectDate(.lastModified, \.lastModified)
        expectDate(.ifModifiedSince, \.ifModifiedSince)
    }

    @Test("are written for every day of a leap year, and read back")
    func everyDay() {
        var headers = HTTPHeaders()
        for day in 0..<366 {
            let date = Date(timeIntervalSince1970: 1_704_067_200 + Double(day) * 86_400 + 3_723)
            headers.date = date
            #expect(headers.date == date)
        }
    }

    @Test(
        "are entity tags",
        arguments: [
            (#""xyzzy""#, EntityTag("xyzzy")), (#"W/"x y""#, EntityTag("x y", isWeak: true)),
            (#""""#, EntityTag("")), ("xyzzy", nil), (#""a"b""#, nil), (#"w/"x""#, nil),
            (#"""#, nil),
            ("*", nil), ("", nil),
        ] as [(String, EntityTag?)]
    )
    func entityTag(text: String, tag: EntityTag?) {
        #expect(HTTPHeaders([.eTag: text]).eTag == tag)
        guard let tag else { return }
        var headers = HTTPHeaders()
        headers.eTag = tag
        #expect(headers[.eTag] == text)
    }

    @Test("are lists of entity tags")
    func entityTags() {
        var headers = HTTPHeaders()
        headers.ifNoneMatch = [EntityTag("a,b"), EntityTag("c", isWeak: true)]
        #expect(headers[.ifNoneMatch] == #""a,b", W/"c""#)
        #expect(headers.ifNoneMatch == [EntityTag("a,b"), EntityTag("c", isWeak: true)])
        headers.ifNoneMatch = []
        #expect(headers[.ifNoneMatch] == nil)
        headers[.ifNoneMatch] = "*"
        #expect(headers.ifNoneMatch == [])
    }

    @Test("are cache directives in their order")
    func cacheControl() throws {
        let text = #"private="set-cookie, x", MAX-AGE=60 , no-transform, =, s-maxage=x"#
        var directives = try #require(HTTPHeaders([.cacheControl: text]).cacheControl)
        #expect(directives.maxAge == 60)
        #expect(directives.value(of: "PRIVATE") == "set-cookie, x")
        #expect(directives.has("no-transform"))
        #expect(!directives.noStore)
        #expect(
            directives.description
                == #"private="set-cookie, x", MAX-AGE=60, no-transform, s-maxage=x"#
        )
        directives.noCache = true
        directives.noCache = true
        directives.maxAge = nil
        directives.remove("private")
        #expect(directives.description == "no-transform, s-maxage=x, no-cache")
        var headers = HTTPHeaders()
        headers.cacheControl = directives
        #expect(headers[.cacheControl] == "no-transform, s-maxage=x, no-cache")
        headers.cacheControl = nil
        #expect(headers.isEmpty)
    }

    @Test(
        "reads cache directives byte by byte, the first of each name, and passes over what is none",
        arguments: [
            ("max-age=1, MAX-AGE=2, max-age=3", "max-age=1"),
            (#"a="b\"c\\d, e", f"#, #"a="b\"c\\d, e", f"#), (#"a="b, no-store"#, ""),
            (#"a="b"c, d"#, "d"), ("a b, c", "c"), ("a=, b = c", #"a="", b=c"#), (",,a,,", "a"),
            ("a=b;c=d", #"a="b;c=d""#), ("a,\u{301}b, c", "a, c"),
            ("a=\"b\u{301}\",c", "a=\"b\u{301}\", c"),
            ("a=\u{1}, b", "b"), ("a=\"\u{1}, b\", c", "c"),
        ]
    )
    func cacheDirectives(text: String, written: String) {
        let directives = CacheControl(fieldValue: text)
        #expect(directives.description == written)
        #expect(CacheControl(fieldValue: directives.description) == directives)
    }

    @Test(
        "are an age of digits alone",
        arguments: [("60", 60), ("+60", nil), ("-60", nil), ("\"60\"", 60), ("", nil)]
    )
    func age(text: String, age: Int?) {
        #expect(CacheControl(fieldValue: "max-age=\(text)").maxAge == age)
    }

    /// A search through those that were read would take hours.
    @Test("reads a field of 200,000 cache directives in one pass", .timeLimit(.minutes(15)))
    func manyDirectives() {
        let text = (0..<200_000).map { "x-\($0)" }.joined(separator: ",")
        let directives = CacheControl(fieldValue: text + ",max-age=60")
        #expect(directives.maxAge == 60)
        #expect(directives.has("x-0"))
        #expect(directives.has("X-199999"))
    }

    @Test(
        "are a length of digits alone",
        arguments: [("12", 12), ("-1", nil), ("x", nil), ("0", 0), ("+5", nil)]
    )
    func length(text: String, length: Int64?) {
        #expect(HTTPHeaders([.contentLength: text]).contentLength == length)
    }
}
