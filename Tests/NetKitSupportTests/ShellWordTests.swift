import Testing

@testable import NetKitSupport

@Suite("Shell words")
struct ShellWordTests {
    @Test(
        "quote everything, and end at no quote inside",
        arguments: [
            ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("'", #"''\'''"#),
            (#"$(x) `y` \ ""#, #"'$(x) `y` \ "'"#), ("'\u{301}", "''\\''\u{301}'"),
        ]
    )
    func quoting(text: String, word: String) {
        #expect(Array(ShellWord.quoted(text).utf8) == Array(word.utf8))
    }

    @Test(
        "are formats that print the text, without line breaks",
        arguments: [
            ("a", "'a'"), ("-a-b", #"'\055a-b'"#), ("100%", "'100%%'"), (#"a\b"#, #"'a\\b'"#),
            ("a\nb\rc", #"'a\nb\rc'"#), ("it's", #"'it'\''s'"#), ("", "''"),
        ]
    )
    func formats(text: String, word: String) {
        #expect(ShellWord.format(text) == word)
    }
}
