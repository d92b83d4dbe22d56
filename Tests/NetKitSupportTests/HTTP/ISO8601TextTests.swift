import Foundation
import Testing

@testable import NetKitSupport

@Suite("ISO 8601 text")
struct ISO8601TextTests {
    @Test(
        "is in UTC, with milliseconds when there are any",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1.5, "1970-01-01T00:00:01.500Z"),
            (-1, "1969-12-31T23:59:59Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
            (1_709_210_096, "2024-02-29T12:34:56Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
            (0.9999, "1970-01-01T00:00:01Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"),
        ]
    )
    func text(seconds: Double, text: String) {
        #expect(ISO8601Text(Date(timeIntervalSince1970: seconds))?.description == text)
    }

    @Test("matches Foundation for days since 1600")
    func sameAsFoundation() {
        for day in stride(from: -135_000.0, through: 200_000, by: 97) {
            let date = Date(timeIntervalSince1970: day * 86_400 + 3_661)
            #expect(ISO8601Text(date)?.description == date.formatted(.iso8601))
        }
    }

    @Test(
        "has a four-digit year, or is nil",
        arguments: [253_402_300_800, -62_167_219_201, 1e300, .nan, .infinity]
    )
    func outside(seconds: Double) {
        #expect(ISO8601Text(Date(timeIntervalSince1970: seconds)) == nil)
    }

    @Test("formats the years 0 to 9999, to the last millisecond")
    func limits() {
        let texts: [(Double, String?)] = [
            (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_167_219_200.001, nil),
            (253_402_300_799.999, "9999-12-31T23:59:59.999Z"), (253_402_300_800, nil),
        ]
        for (seconds, text) in texts {
            #expect(ISO8601Text(Date(timeIntervalSince1970: seconds))?.description == text)
        }
    }
}
