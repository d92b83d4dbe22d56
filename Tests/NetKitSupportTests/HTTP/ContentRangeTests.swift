import Testing

@testable import NetKitSupport

@Suite("Content-Range")
struct ContentRangeTests {
    @Test(
        "parses with and without a total",
        arguments: [
            ("bytes 5-9/10", 5, 9, 10), ("bytes 0-0/*", 0, 0, nil), ("Bytes  0-99/100", 0, 99, 100),
        ] as [(String, Int64, Int64, Int64?)]
    )
    func reads(text: String, first: Int64, last: Int64, total: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.first == first)
        #expect(range.last == last)
        #expect(range.total == total)
    }

    @Test(
        "is nil when unsatisfied, not in bytes, or contradictory",
        arguments: [
            "", "bytes", "bytes */10", "lines 1-2/3", "bytes 9-5/10", "bytes 5-10/10",
            "bytes -5/10",
            "bytes 5-/10", "bytes 1-2", "bytes 1-2/", "bytes +1-2/3", "bytes 1-2/3/4",
            "bytes 99999999999999999999-99999999999999999999/*",
        ]
    )
    func refuses(text: String) {
        #expect(ContentRange(text) == nil)
    }
}
