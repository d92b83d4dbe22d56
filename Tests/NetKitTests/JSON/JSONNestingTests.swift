import Foundation
import Testing

@testable import NetKit

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
        JSONText.nestingExcess(of: Data(text.utf8), for: JSONDecoder()) != nil
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
        #expect(JSONText.nestingExcess(of: Data(deepest.utf8), for: decoder) == nil)
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
        #expect(JSONText.nestingExcess(of: text, for: decoder)?.reason == .tooDeep)
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
            #expect(JSONText.nestingExcess(of: Data(text.utf8), for: decoder) == nil)
            let scanned = String(repeating: "[],", count: 700) + text
            #expect(JSONText.nestingExcess(of: Data(scanned.utf8), for: decoder) == nil)
        }
    }

    @Test("counts without overflow, even in UTF-16")
    func extremes() throws {
        #expect(isRefused(String(repeating: "[", count: 2_000_000)))
        let text = nested(500, repeated("0", 20_000))
        let data = try #require(text.data(using: .utf16LittleEndian))
        #expect(JSONText.nestingExcess(of: data, for: JSONDecoder()) != nil)
    }
}
