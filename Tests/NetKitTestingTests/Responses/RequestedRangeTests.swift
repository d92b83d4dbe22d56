import Testing

@testable import NetKitTesting

@Suite("Requested ranges")
struct RequestedRangeTests {
    private func part(_ field: String, of length: Int) -> Range<Int>? {
        guard case .part(let part) = RequestedRange(field, if: nil, isOneOf: [], of: length) else {
            return nil
        }
        return part
    }

    @Test(
        "clamps a range to the resource, whatever its numbers",
        arguments: [
            ("bytes=0-1", 0..<2), ("bytes=5-", 5..<10), ("bytes=-3", 7..<10), ("bytes=9-9", 9..<10),
            ("bytes=0-9223372036854775807", 0..<10), ("bytes=-9223372036854775807", 0..<10),
            ("bytes=0-99", 0..<10), ("bytes=+0-1", nil), ("bytes=0-+1", nil), ("bytes=2-1", nil),
            ("bytes=10-11", nil), ("bytes=-0", nil), ("bytes=9223372036854775808-", nil),
        ] as [(String, Range<Int>?)]
    )
    func parts(field: String, expected: Range<Int>?) {
        #expect(part(field, of: 10) == expected)
    }

    @Test("has no bytes for an empty resource")
    func empty() {
        #expect(part("bytes=0-", of: 0) == nil)
        #expect(part("bytes=0-9223372036854775807", of: 0) == nil)
    }
}
