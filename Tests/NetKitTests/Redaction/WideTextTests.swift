import Foundation
import Testing

@testable import NetKit

@Suite("Wide text")
struct WideTextTests {
    private static let encodings: [(String.Encoding, String, [UInt8])] = [
        (.utf16BigEndian, "utf-16be", [0xFE, 0xFF]),
        (.utf16LittleEndian, "UTF-16LE", [0xFF, 0xFE]),
        (.utf32BigEndian, "utf-32be", [0, 0, 0xFE, 0xFF]),
        (.utf32LittleEndian, "utf-32le", [0xFF, 0xFE, 0, 0]),
    ]

    private func bytes(_ text: String, _ encoding: String.Encoding) throws -> [UInt8] {
        Array(try #require(text.data(using: encoding)))
    }

    @Test(
        "is found by its byte order mark, by its zeros or by its charset",
        arguments: encodings.indices
    )
    func detection(index: Int) throws {
        let (encoding, charset, mark) = Self.encodings[index]
        let plain = try bytes("{é😀}", encoding)
        // Without zeros at its start.
        let other = try bytes("éé", encoding).map { $0 == 0 ? 1 : $0 }
        for (found, type) in [
            (plain, nil), (mark + plain, nil), (plain, "text/plain; charset=\(charset)"),
        ] as [([UInt8], String?)] {
            let text = try #require(WideText(found[...], type: type))
            #expect(text.utf8 == Array("{é😀}".utf8))
            let again = try #require(text.encoded(Array("ü".utf8)))
            #expect(
                again == (found.starts(with: mark) && found != plain ? mark : [])
                    + (try bytes("ü", encoding))
            )
        }
        #expect(WideText(other[...], type: nil) == nil)
        #expect(WideText(other[...], type: "a/b; charset=\(charset)") != nil)
    }

    @Test(
        "takes a charset without an order for the network's",
        arguments: [("utf-16", String.Encoding.utf16BigEndian), ("utf-32", .utf32BigEndian)]
    )
    func order(charset: String, encoding: String.Encoding) throws {
        let bytes = try bytes("\u{4E2D}\u{6587}", encoding)
        #expect(
            WideText(bytes[...], type: "a/b; charset=\(charset)")?.utf8
                == Array("\u{4E2D}\u{6587}".utf8)
        )
    }

    @Test("is found in a single character of two bytes")
    func short() {
        #expect(WideText([0, 0x41], type: nil)?.utf8 == [0x41])
        #expect(WideText([0x41, 0], type: nil)?.utf8 == [0x41])
    }

    @Test(
        "is no other text",
        arguments: [
            [], [0x41], [0x41, 0x42], [0x41, 0x42, 0, 0x43], [0, 0, 0, 0], [0, 0x41, 0x42, 0x43],
            [0xEF, 0xBB, 0xBF, 0x41],
        ] as [[UInt8]]
    )
    func others(bytes: [UInt8]) {
        #expect(WideText(bytes[...], type: nil) == nil)
        #expect(WideText(bytes[...], type: "text/plain; charset=utf-8") == nil)
    }
}
