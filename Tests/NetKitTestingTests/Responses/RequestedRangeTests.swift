import Foundation
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
        #expect(RequestedRange("bytes=-5", if: nil, isOneOf: [], of: 0) == .whole)
        #expect(RequestedRange("bytes=-0", if: nil, isOneOf: [], of: 0) == .unsatisfiable)
    }

    @Test(
        "ignores a range of another version, or of one with a weak tag",
        arguments: [
            (nil, .part(0..<2)), ("\"v1\"", .part(0..<2)), ("\"v2\"", .whole),
            ("W/\"v1\"", .whole), ("W/\"v2\"", .whole),
        ] as [(String?, RequestedRange)]
    )
    func condition(condition: String?, expected: RequestedRange) {
        let tags = ["\"v1\"", "W/\"v1\"", nil]
        #expect(RequestedRange("bytes=0-1", if: condition, isOneOf: tags, of: 10) == expected)
    }

    @Test(
        "ignores a range of any method but GET",
        arguments: [("GET", .part(0..<2)), ("HEAD", .whole), ("POST", .whole)]
            as [(String, RequestedRange)]
    )
    func methods(method: String, expected: RequestedRange) {
        let request = RecordedRequest(
            head: RequestHead(
                method: method,
                target: "/",
                minorVersion: 1,
                fields: [HeaderField(name: "Range", value: "bytes=0-1")]
            ),
            body: Data(),
            bodyLength: 0,
            trailers: [],
            origin: .init(connectionID: 1, index: 0, headReceivedAt: .now),
            receivedAt: .now
        )
        #expect(RequestedRange(by: request, isOneOf: [], of: 10) == expected)
    }
}
