import Testing

@testable import NetKitSupport

@Suite("Bounded lines")
struct BoundedLineTests {
    @Test(
        "joins lines and removes control characters",
        arguments: [
            ("a b", "a b"), ("  a \n\r\n\t b  ", "a b"), ("a\0b\u{1B}[1m", "a b [1m"), ("", ""),
            (" \n", ""),
            ("a\u{202E}b", "a b"), ("a\u{2028}b\u{85}c", "a b c"), ("é\u{301}", "é\u{301}"),
        ]
    )
    func joining(text: String, line: String) {
        #expect(BoundedLine.text(text) == line)
    }

    @Test(
        "removes what is too long, and marks it",
        arguments: [
            ("abcde", 5, "abcde"), ("abcdef", 5, "abcd…"), ("ab cde", 5, "ab c…"),
            ("abcd e", 5, "abcd…"), ("abcd ", 4, "abcd"),
            ("abcde fg", 5, "abcd…"), ("ab\u{301}\u{302}c", 3, "a…"), ("aaab\u{301}", 4, "aaa…"),
            ("a", 1, "a"), ("ab", 1, "…"),
        ]
    )
    func bounds(text: String, maximum: Int, line: String) {
        #expect(BoundedLine.text(text, maximum: maximum) == line)
    }

    @Test("keeps 200 scalars by default")
    func standard() {
        let text = String(repeating: "x", count: 200)
        #expect(BoundedLine.text(text) == text)
        #expect(BoundedLine.text(text + "y") == String(repeating: "x", count: 199) + "…")
    }
}
