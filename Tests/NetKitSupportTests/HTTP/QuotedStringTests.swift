import Testing

@testable import NetKitSupport

@Suite("Quoted strings")
struct QuotedStringTests {
    @Test(
        "escape quotes and backslashes, and can be read again",
        arguments: [
            ("", #""""#), ("a b", #""a b""#), (#"a"b\c"#, #""a\"b\\c""#), ("é,;=", #""é,;=""#),
        ]
    )
    func quoting(text: String, quoted: String) {
        #expect(QuotedString.quoting(text) == quoted)
        var reader = FieldReader(quoted)
        #expect(reader.quotedString() == text)
        #expect(reader.isAtEnd)
    }
}
