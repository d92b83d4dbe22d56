import Foundation
import NetKit
import Testing

@Suite("JSON coder presets")
struct JSONCoderPresetsTests {
    private struct Event: Codable, Equatable {
        let createdAt: Date
    }

    private let whole = Event(createdAt: Date(timeIntervalSince1970: 1_709_209_800))
    private let fraction = Event(createdAt: Date(timeIntervalSince1970: 1_709_209_800.25))

    private func text(_ event: Event, _ encoder: JSONEncoder) throws -> String {
        String(decoding: try encoder.encode(event), as: UTF8.self)
    }

    @Test("writes snake case, and fractional seconds only when there are any")
    func encoding() throws {
        #expect(
            try text(fraction, .snakeCaseISO8601) == #"{"created_at":"2024-02-29T12:30:00.250Z"}"#
        )
        #expect(
            try text(whole, .snakeCaseISO8601) == #"{"created_at":"2024-02-29T12:30:00Z"}"#
        )
        #expect(try text(whole, .snakeCase).hasPrefix(#"{"created_at":"#))
        #expect(throws: EncodingError.self) {
            try text(Event(createdAt: .distantFuture.addingTimeInterval(1e12)), .snakeCaseISO8601)
        }
    }

    @Test(
        "reads dates with or without fractions, in any time zone",
        arguments: [
            "2024-02-29T12:30:00Z", "2024-02-29T12:30:00.000Z", "2024-02-29T14:30:00+02:00",
            "2024-02-29T07:00:00.000-05:30", "2024-02-29T14:30:00+0200", "2024-02-29T14:30:00,0+02",
            "2024-02-29t12:30:00z",
        ]
    )
    func decoding(date: String) throws {
        let decoder = JSONDecoder.snakeCaseISO8601
        let snake = Data(#"{"created_at":"\#(date)"}"#.utf8)
        #expect(try decoder.decode(Event.self, from: snake) == whole)
    }

    @Test("keeps fractional seconds, and rejects an invalid date")
    func fractions() throws {
        for text in ["2024-02-29T12:30:00.25Z", "2024-02-29T12:30:00.250Z"] {
            let data = Data(#"{"created_at":"\#(text)"}"#.utf8)
            #expect(try JSONDecoder.snakeCaseISO8601.decode(Event.self, from: data) == fraction)
        }
        let invalid = [
            "", "2024-02-29", "29.2.2024", "2024-02-29T12:30:00", "2024-02-29T12:30:00Zx",
            "2024-02-30T12:30:00Z", "2023-02-29T12:30:00Z", "2024-13-01T12:30:00Z",
            "2024-02-29T25:30:00Z", "2024-02-29T24:00:00.9Z", "2024-02-29T12:60:00Z",
            "2024-02-29T12:30:00+24:00",
            "2024-02-29T12:30:00.Z", "2024-02-29T12:30:00+02:", "+024-02-29T12:30:00Z",
        ]
        for text in invalid {
            let data = Data(#"{"created_at":"\#(text)"}"#.utf8)
            #expect(throws: DecodingError.self) {
                try JSONDecoder.snakeCaseISO8601.decode(Event.self, from: data)
            }
        }
    }

    @Test(
        "reads each date that it writes, from the year 0 on",
        arguments: [
            "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "1066-10-14T09:00:00Z",
            "1582-10-04T23:59:59.999Z", "1582-10-15T00:00:00Z", "9999-12-31T23:59:59Z",
        ]
    )
    func calendar(date: String) throws {
        let data = Data(#"{"created_at":"\#(date)"}"#.utf8)
        let event = try JSONDecoder.snakeCaseISO8601.decode(Event.self, from: data)
        #expect(try text(event, .snakeCaseISO8601) == String(decoding: data, as: UTF8.self))
    }

    @Test("returns a new coder each time")
    func fresh() {
        let first = JSONDecoder.snakeCase
        first.keyDecodingStrategy = .useDefaultKeys
        guard case .convertFromSnakeCase = JSONDecoder.snakeCase.keyDecodingStrategy else {
            Issue.record("the change went to all")
            return
        }
        #expect(JSONEncoder.snakeCaseISO8601 !== JSONEncoder.snakeCaseISO8601)
    }
}
