import Testing

@testable import NetKitSupport

@Suite("Field reader")
struct FieldReaderTests {
    @Test(
        "reads a token up to its end, and no other text",
        arguments: [
            ("abc=1", "abc", "="), ("a-1.b!", "a-1.b!", nil), ("=a", nil, "="), ("", nil, nil),
            (" a", nil, " "),
            ("a b", "a", " "), ("é", nil, "\u{C3}"), ("a\"", "a", "\""),
        ] as [(String, String?, Unicode.Scalar?)]
    )
    func tokens(text: String, token: String?, next: Unicode.Scalar?) {
        var reader = FieldReader(text)
        #expect(reader.token() == token)
        #expect(reader.next == next.map { UInt8(truncatingIfNeeded: $0.value) })
        #expect(reader.isAtEnd == (next == nil))
    }

    @Test(
        "unescapes a quoted string, and rejects control characters",
        arguments: [
            (#""a b""#, "a b"), (#""""#, ""), (#""a\"b\\c\d""#, #"a"b\cd"#), ("\"a\tb\"", "a\tb"),
            ("\"\u{20}~\"", " ~"),
            ("\"a\u{1F}b\"", nil), ("\"a\u{7F}\"", nil), ("\"a\\\u{1}\"", nil),
            ("\"\u{80}é\"", "\u{80}é"),
            (#""a"#, nil), (#""a\"#, nil), (#"a"b""#, nil), ("", nil),
        ] as [(String, String?)]
    )
    func quotedStrings(text: String, value: String?) {
        var reader = FieldReader(text)
        #expect(reader.quotedString() == value)
    }

    @Test("reads on behind an invalid quoted string")
    func behindQuotes() {
        var reader = FieldReader("\"a\u{1}\", b")
        #expect(reader.quotedString() == nil)
        #expect(reader.take(",") == true)
        reader.skipBlanks()
        #expect(reader.token() == "b")
    }

    @Test(
        "reads text up to a comma, without blanks at its end",
        arguments: [
            ("a b \t, c", "a b", ","), ("a", "a", nil), (",a", "", ","), (" a", " a", nil),
            ("a\u{1}b,c", nil, ","),
            ("a\u{7F}", nil, nil), ("a\tb", "a\tb", nil), ("~ é", "~ é", nil), ("", "", nil),
            ("a\u{1F}", nil, nil),
        ] as [(String, String?, Unicode.Scalar?)]
    )
    func text(text: String, value: String?, next: Unicode.Scalar?) {
        var reader = FieldReader(text)
        #expect(reader.textBeforeComma() == value)
        #expect(reader.next == next.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    @Test(
        "skips an element with its quotes",
        arguments: [
            ("a, b", " b"), (#"a=",\",", b"#, " b"), (#"a\,b"#, "b"), ("a", ""), (#"","#, ""),
            (",a", "a"), (#""a\"#, ""),
            (#""\"",b"#, "b"),
        ]
    )
    func elements(text: String, rest: String) {
        var reader = FieldReader(text)
        reader.skipElement()
        #expect((reader.textBeforeComma() ?? "") == rest)
    }

    @Test("skips blanks and takes delimiters")
    func delimiters() {
        var reader = FieldReader(" \t;\n")
        #expect(reader.take(";") == false)
        reader.skipBlanks()
        #expect(reader.take(",") == false)
        #expect(reader.take(";") == true)
        reader.skipBlanks()
        #expect(reader.next == 0x0A)
    }
}
