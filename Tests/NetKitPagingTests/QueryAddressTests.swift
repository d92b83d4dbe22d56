import Foundation
import Testing

@testable import NetKit
@testable import NetKitPaging

@Suite("Query item replacement")
struct QueryAddressTests {
    @Test(
        "replaces the items of a name, or appends one",
        arguments: [
            ("http://a.test", "http://a.test?c=v"), ("http://a.test/x", "http://a.test/x?c=v"),
            ("http://a.test/x?", "http://a.test/x?c=v"),
            ("http://a.test/x?a=1", "http://a.test/x?a=1&c=v"),
            ("http://a.test/x?a=1&c=old&b=2", "http://a.test/x?a=1&c=v&b=2"),
            ("http://a.test/x?c&a&c=2&c=", "http://a.test/x?c=v&a"),
            ("http://a.test/x?%63=old&cc=1", "http://a.test/x?c=v&cc=1"),
            ("http://a.test/x?a=%26c%3D1", "http://a.test/x?a=%26c%3D1&c=v"),
        ]
    )
    func replacing(from: String, to: String) throws {
        let url = try #require(URL(string: from))
        #expect(QueryAddress(url).replacing("c", with: "v") == to)
    }

    @Test("encodes the name and value")
    func encodes() throws {
        let url = try #require(URL(string: "http://a.test/?page%5Bafter%5D=x"))
        #expect(
            QueryAddress(url).replacing("page[after]", with: "a+b&c=d/é")
                == "http://a.test/?page%5Bafter%5D=a%2Bb%26c%3Dd%2F%C3%A9"
        )
    }

    @Test(
        "parses a number",
        arguments: [
            ("n=3", 3), ("a=1&n=%34&n=5", 4), ("n=-2", -2), ("n=", nil), ("n", nil), ("n=x", nil),
            ("m=1", nil), ("", nil), ("n=99999999999999999999", nil),
        ] as [(String, Int?)]
    )
    func number(query: String, number: Int?) throws {
        let url = try #require(URL(string: "http://a.test/?" + query))
        #expect(QueryAddress(url).number(of: "n") == number)
    }

    @Test(
        "counts up to the bounds of Int",
        arguments: [
            (0, 50, 50), (1, 1, 2), (5, -1, 4), (.max, 1, .max), (1, .max, .max), (-5, .min, .min),
            (.min, -1, .min),
        ] as [(Int, Int, Int)]
    )
    func counting(start: Int, step: Int, end: Int) {
        #expect(start.clampingAdding(step) == end)
    }
}
