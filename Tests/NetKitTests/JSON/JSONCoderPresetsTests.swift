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
            "2024-02-29T07:00:00.000-05:30",
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
        for text in ["", "2024-02-29", "29.2.2024", "2024-02-29T12:30:00"] {
            let data = Data(#"{"created_at":"\#(text)"}"#.utf8)
            #expect(throws: DecodingError.self) {
                try JSONDecoder.snakeCaseISO8601.decode(Event.self, from: data)
            }
        }
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
