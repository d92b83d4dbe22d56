import Testing

@testable import NetKit

@Suite("HTTP methods")
struct HTTPMethodTests {
    static let table: [(HTTPMethod, String, isSafe: Bool, isIdempotent: Bool)] = [
        (.get, "GET", true, true), (.head, "HEAD", true, true), (.options, "OPTIONS", true, true),
        (.trace, "TRACE", true, true), (.query, "QUERY", true, true), (.put, "PUT", false, true),
        (.delete, "DELETE", false, true), (.post, "POST", false, false),
        (.patch, "PATCH", false, false), (.connect, "CONNECT", false, false),
    ]

    @Test("has a name, and is known by it", arguments: table)
    func named(method: HTTPMethod, token: String, isSafe: Bool, isIdempotent: Bool) {
        #expect(method.rawValue == token)
        #expect(method.description == token)
        #expect(method.isSafe == isSafe)
        #expect(method.isIdempotent == isIdempotent)
        if case .custom = HTTPMethod(rawValue: token) {
            Issue.record("\(token) did not become its named case")
        }
        #expect(HTTPMethod(rawValue: token) == method)
    }

    @Test("equals a custom method of the same name", arguments: table)
    func twins(method: HTTPMethod, token: String, isSafe: Bool, isIdempotent: Bool) {
        let twin = HTTPMethod.custom(token)
        #expect(twin == method)
        #expect(Set([twin, method]).count == 1)
        #expect(twin.isSafe == isSafe)
        #expect(twin.isIdempotent == isIdempotent)
    }

    @Test("is case-sensitive")
    func caseSensitive() {
        #expect(HTTPMethod(rawValue: "get") != .get)
        #expect(HTTPMethod(rawValue: "get").rawValue == "get")
        #expect(!HTTPMethod.custom("get").isSafe)
        #expect(!HTTPMethod.custom("PURGE").isIdempotent)
    }

    @Test(
        "accepts any token, and nothing else",
        arguments: [
            ("GET", true), ("PROPFIND", true), ("M-SEARCH", true), ("a!#$%&'*+-.^_`|~9", true),
            ("", false), ("GET ", false), ("GET /x HTTP/1.1\r\nX: y", false), ("GÉT", false),
            ("A\u{0}", false), ("A:B", false), ("A/B", false), ("\u{7F}", false),
        ]
    )
    func tokens(text: String, isValid: Bool) {
        #expect(HTTPMethod.custom(text).isValidToken == isValid)
    }
}
