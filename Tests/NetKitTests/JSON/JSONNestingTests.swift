import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("JSON nesting limit")
struct JSONNestingTests {
    private struct Envelope: Decodable, Sendable { let extra: JSONValue }

    private func nested(_ depth: Int, _ content: String = "") -> String {
        String(repeating: "[", count: depth) + content + String(repeating: "]", count: depth)
    }

    private func repeated(_ value: String, _ count: Int) -> String {
        Array(repeating: value, count: count).joined(separator: ",")
    }

    private func isRefused(_ text: String) -> Bool {
        problem(Data(text.utf8), JSONDecoder()) != nil
    }

    private func problem(_ text: Data, _ decoder: JSONDecoder) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            _ = try JSONText.decodable(text, by: decoder)
            return nil
        } catch {
            return error
        }
    }

    @Test("allows JSONDecoder's depth, and any width of flat JSON")
    func bearable() throws {
        #expect(!isRefused(nested(512)))
        #expect(!isRefused(nested(4, repeated("0", 500_000))))
        #expect(!isRefused("[\(repeated(nested(8, repeated("1.5", 10)), 5_000))]"))
        let members = "{\"a\":{\"b\":1},\"c\":[]}"
        #expect(!isRefused("[\(repeated(members, 50_000))]"))
        #expect(!isRefused("[\"" + String(repeating: "[{,", count: 500_000) + "\\\"[\"]"))
        // So many containers that the text is scanned to its end.
        let lists = String(repeating: "[],", count: 700)
        for text in ["", "]]]]", "\"", "\"\\", "[", "<html>", "\"abc"] {
            #expect(!isRefused(text))
            #expect(!isRefused(lists + text))
        }
        let envelope = try HTTPResponse.sample("{\"extra\":\(nested(300))}")
            .decoded(to: Envelope.self)
        #expect(envelope.extra[0] != nil)
    }

    @Test(
        "rejects nesting that would take JSONDecoder minutes",
        arguments: ["0", "true", "[]", "{}", "\"\"", "{\"a\":0}"]
    )
    func unbearable(value: String) throws {
        let body = "{\"extra\":\(nested(500, repeated(value, 20_000)))}"
        let failure = try #require(throws: DecodingFailure.self) {
            try HTTPResponse.sample(body).decoded(to: Envelope.self)
        }
        #expect(failure.description.contains("nested too deeply at byte"))
        #expect(throws: DecodingFailure.self) {
            try ProblemDetails.decode(from: .sample(body), using: JSONDecoder())
        }
        // Whole documents are parsed by NetKit, in a time that grows with their length.
        #expect(try HTTPResponse.sample(body).json()["extra"] != nil)
    }

    @Test(
        "rejects the depth that would end the process in JSONDecoder",
        arguments: ["[", "{\"a\":", "{\"a\":[", "[{\"a\":"],
        [String.Encoding.utf8, .utf16LittleEndian, .utf32BigEndian]
    )
    func fatal(opening: String, encoding: String.Encoding) throws {
        let step = opening.filter { "[{".contains($0) }.count
        let deepest = String(repeating: opening, count: 512 / step)
        // JSONDecoder reads beyond the end of a text that ends with this bracket.
        let body = try #require((deepest + "[").data(using: encoding))
        let failure = try #require(throws: DecodingFailure.self) {
            try HTTPResponse.sample(data: body).decoded(to: Envelope.self)
        }
        #expect(failure.description.contains("nested too deeply at byte \(deepest.utf8.count)"))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decodeBounded(Envelope.self, from: body)
        }
        #expect(!isRefused(deepest))
        #expect(!isRefused("\"" + deepest + "[[\""))
    }

    @Test("counts the dictionary that a decoder assumes around the text")
    func assumedDictionary() throws {
        let decoder = JSONDecoder()
        decoder.assumesTopLevelDictionary = true
        let deepest = "\"a\":" + String(repeating: "[", count: 511)
        #expect(problem(Data(deepest.utf8), decoder) == nil)
        // JSONDecoder reads beyond the end of this text.
        #expect(throws: DecodingFailure.self) {
            try HTTPResponse.sample(deepest + "[").decoded(to: Envelope.self, using: decoder)
        }
    }

    @Test(
        "sees what JSON5's comments and strings in single quotes would hide",
        arguments: [
            "'\"',", "'\\'\"',", "/*\"*/", "/*/\"*/", "/**/", "//\"\n", "//\"\r", "\"'//\",",
            "\"/*\",",
        ]
    )
    func json5(prefix: String) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let text = Data("[\(prefix)\(nested(500, repeated("0", 20_000)))]".utf8)
        #expect(problem(text, decoder)?.reason == .tooDeep)
    }

    @Test("counts no brackets in JSON5's comments and strings, and needs no end of them")
    func hiddenInJSON5() {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let brackets = String(repeating: "[", count: 2_000)
        for text in [
            "'\(brackets)'", "//\(brackets)", "/*\(brackets)*/", "/*\(brackets)", "[/", "/", "/*",
            "//",
            "'",
        ] {
            #expect(problem(Data(text.utf8), decoder) == nil)
            let scanned = String(repeating: "[],", count: 700) + text
            #expect(problem(Data(scanned.utf8), decoder) == nil)
        }
    }

    @Test(
        "refuses bytes of JSON5 that aren't UTF-8",
        arguments: [[0xFF], [0xF8], [0x80], [0xC2], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]]
    )
    func bytesOfJSON5(bytes: [UInt8]) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        // Each ended the process of a JSONDecoder if enough bytes followed.
        for (start, end) in [("{", ":1}"), ("{a", ":1}"), ("{'", "':1}"), ("", ""), ("//", "\n1")] {
            let text = Data(start.utf8 + bytes + bytes + Array("abcdefghi".utf8) + end.utf8)
            let refusal = try #require(problem(text, decoder))
            #expect(refusal.reason == .invalidString && refusal.offset == start.utf8.count)
            #expect(throws: DecodingFailure.self) {
                try HTTPResponse.sample(data: text).decoded(to: [String: Int].self, using: decoder)
            }
        }
    }

    @Test("reads JSON5 in UTF-16 and with a byte order mark")
    func encodingsOfJSON5() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let text = "{größe: +1,}"
        for encoding: String.Encoding in [
            .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian,
        ] {
            let body = try #require("\u{FEFF}\(text)".data(using: encoding))
            let response = try HTTPResponse.sample(data: body)
            #expect(try response.decoded(to: [String: Int].self, using: decoder) == ["größe": 1])
        }
    }

    @Test("counts without overflow, even in UTF-16")
    func extremes() throws {
        #expect(isRefused(String(repeating: "[", count: 2_000_000)))
        let text = nested(500, repeated("0", 20_000))
        let data = try #require(text.data(using: .utf16LittleEndian))
        #expect(problem(data, JSONDecoder()) != nil)
    }
}
