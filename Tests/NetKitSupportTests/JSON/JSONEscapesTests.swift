import Foundation
import Testing

@testable import NetKitSupport

@Suite("JSON escapes")
struct JSONEscapesTests {
    private func resolved(_ text: String) -> String {
        String(decoding: JSONEscapes.resolved(Array(text.utf8)[...]), as: UTF8.self)
    }

    private func escaped(_ text: String) -> String {
        String(decoding: JSONEscapes.escaped(Array(text.utf8)), as: UTF8.self)
    }

    @Test(
        "resolves every escape as JSONDecoder does",
        arguments: [
            (#"plain é"#, "plain é"), (#"\"\\\/"#, #""\/"#), (#"\b\f\n\r\t"#, "\u{8}\u{c}\n\r\t"),
            (#"\u0041\u00e9\u20AC"#, "Aé€"), (#"a\u0000b"#, "a\0b"),
            (#"\uD7FF\uE000"#, "\u{D7FF}\u{E000}"),
            (#"\ud83d\ude00!"#, "😀!"), (#"\uD800\uDC00\uDBFF\uDFFF"#, "\u{10000}\u{10FFFF}"),
            (#"\\u0041"#, #"\u0041"#),
        ]
    )
    func valid(text: String, plain: String) throws {
        #expect(resolved(text) == plain)
        #expect(
            try JSONDecoder().decode([String].self, from: Data("[\"\(text)\"]".utf8)) == [plain]
        )
    }

    @Test(
        "resolves half a surrogate pair to U+FFFD, and keeps what follows",
        arguments: [
            (#"\uD83D"#, "\u{FFFD}"), (#"\uD83Dx"#, "\u{FFFD}x"),
            (#"\uDE00\uD83D"#, "\u{FFFD}\u{FFFD}"),
            (#"\uD83D\u0041"#, "\u{FFFD}A"), (#"\uD83D\uD83D\uDE00"#, "\u{FFFD}😀"),
            (#"\uD83D\n"#, "\u{FFFD}\n"),
            (#"\uDC00\uDC00"#, "\u{FFFD}\u{FFFD}"), (#"\uD83D\uDB"#, "\u{FFFD}\u{DB}"),
        ]
    )
    func halves(text: String, plain: String) {
        #expect(resolved(text) == plain)
    }

    @Test(
        "drops the backslash of an invalid escape",
        arguments: [
            (#"\x41"#, "x41"), (#"\u12G"#, "\u{12}G"), (#"\u"#, "\0"), (#"a\"#, "a"), (#"\é"#, "é"),
        ]
    )
    func invalid(text: String, plain: String) {
        #expect(resolved(text) == plain)
    }

    @Test(
        "escapes quotes, backslashes and control characters, and nothing else",
        arguments: [
            ("plain é/😀\u{7F}", "plain é/😀\u{7F}"), (#""\"#, #"\"\\"#), ("\n\r\t", #"\n\r\t"#),
            ("\0\u{1}\u{9}\u{b}\u{c}", #"\u0000\u0001\t\u000b\u000c"#),
            ("\u{10}\u{1a}\u{1f} ", #"\u0010\u001a\u001f "#),
        ]
    )
    func escaping(plain: String, text: String) throws {
        #expect(escaped(plain) == text)
        #expect(resolved(text) == plain)
        #expect(
            try JSONDecoder().decode([String].self, from: Data("[\"\(text)\"]".utf8)) == [plain]
        )
    }
}
