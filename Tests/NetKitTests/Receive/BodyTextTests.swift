import Foundation
import Testing

@testable import NetKit

@Suite("Body text")
struct BodyTextTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let type: String?
        let bytes: [UInt8]
        let text: String
        var testDescription: String { "\(type ?? "no type") \(bytes)" }
    }

    @Test(
        "is read in the charset of its Content-Type, or as its byte order mark says",
        arguments: [
            Sample(type: nil, bytes: [0x41, 0xC3, 0xA9], text: "Aé"),
            Sample(type: "text/plain", bytes: [0xE2, 0x82, 0xAC], text: "€"),
            Sample(type: "text/plain; charset=utf-8", bytes: [0xEF, 0xBB, 0xBF, 0x41], text: "A"),
            Sample(type: "text/plain; charset=UTF-8", bytes: [0x41], text: "A"),
            Sample(type: "text/plain; charset=\"utf-8\"", bytes: [0xC3, 0xA9], text: "é"),
            Sample(type: "text/plain; charset=ISO-8859-1", bytes: [0x41, 0xE9], text: "Aé"),
            Sample(type: "text/plain; charset=windows-1252", bytes: [0x80, 0xE9], text: "€é"),
            Sample(type: "text/plain; charset=windows-1251", bytes: [0xE9], text: "й"),
            Sample(type: "text/plain; charset=us-ascii", bytes: [0x41], text: "A"),
            Sample(type: "text/plain; charset=utf-16", bytes: [0xFF, 0xFE, 0x41, 0], text: "A"),
            Sample(type: "text/plain; charset=utf-16", bytes: [0xFE, 0xFF, 0, 0x41], text: "A"),
            Sample(type: "text/plain; charset=utf-16", bytes: [0, 0x41], text: "A"),
            Sample(type: "text/plain; charset=utf-16le", bytes: [0x41, 0], text: "A"),
            Sample(type: "text/plain", bytes: [0xFF, 0xFE, 0x41, 0], text: "A"),
            Sample(type: nil, bytes: [], text: ""),
        ]
    )
    func charset(sample: Sample) throws {
        let response = try HTTPResponse.sample(data: Data(sample.bytes), type: sample.type)
        #expect(response.text == sample.text)
        #expect(try response.strictText() == sample.text)
    }

    @Test(
        "that is none is repaired to be shown and refused to be decoded",
        arguments: [
            ("text/plain", [0x41, 0xFF], "A\u{FFFD}", "utf-8"),
            ("text/plain; charset=us-ascii", [0xC3, 0xA9], "é", "us-ascii"),
            ("text/plain; charset=klingon", [0x41], "A", "klingon"),
        ]
    )
    func unreadable(type: String, bytes: [UInt8], shown: String, charset: String) throws {
        let response = try HTTPResponse.sample(data: Data(bytes), type: type)
        #expect(response.text == shown)
        #expect(throws: UnreadableText(charset: charset)) { try response.strictText() }
    }
}
