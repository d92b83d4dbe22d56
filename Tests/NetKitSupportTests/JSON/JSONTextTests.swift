import Foundation
import Testing

@testable import NetKitSupport

@Suite("JSON text")
struct JSONTextTests {
    private static let encodings: [(String.Encoding, [UInt8])] = [
        (.utf8, [0xEF, 0xBB, 0xBF]), (.utf16BigEndian, [0xFE, 0xFF]),
        (.utf16LittleEndian, [0xFF, 0xFE]), (.utf32BigEndian, [0, 0, 0xFE, 0xFF]),
        (.utf32LittleEndian, [0xFF, 0xFE, 0, 0]),
    ]

    @Test("is converted from every encoding, with and without a mark", arguments: 0..<5)
    func converting(index: Int) throws {
        let (encoding, mark) = Self.encodings[index]
        for text in ["{\"a\":\"é😀\"}", "[1]", "\"\u{4E2D}\""] {
            let bytes = try #require(text.data(using: encoding))
            #expect(Array(JSONText.utf8(bytes)) == Array(text.utf8))
            #expect(Array(JSONText.utf8(Data(mark) + bytes)) == Array(text.utf8))
        }
    }

    @Test("is null in less than 64 bytes, with any white space around it")
    func null() {
        for (text, isNull) in [
            ("null", true), (" \r\n\tnull ", true), ("\u{FEFF}null", true), ("", false),
            (" ", false),
            ("[null]", false), ("\"null\"", false), ("0", false),
        ] {
            #expect(JSONText.isNull(Data(text.utf8)) == isNull, "\(text)")
        }
        for length in [4, 63, 64, 65] {
            let text = "null" + String(repeating: " ", count: length - 4)
            #expect(JSONText.isNull(Data(text.utf8)) == (length < 64))
        }
    }
}
