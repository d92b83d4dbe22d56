import Testing

@testable import NetKitSupport

@Suite("Form fields")
struct FormFieldsTests {
    private func items(_ text: String) -> [String] {
        FormFields.items(in: Array(text.utf8)).map { "\($0.name)|\($0.value)" }
    }

    @Test(
        "parses names and values in order",
        arguments: [
            ("a=1&b=2&a=3", ["a|1", "b|2", "a|3"]), ("", []), ("&&a&=b&", ["a|", "|b"]),
            ("a=b=c", ["a|b=c"]),
            ("a+b=c+d%20e%2B", ["a b|c d e+"]), ("%C3%A4=%e2%82%ac", ["ä|€"]),
            ("a=%26%3D&b", ["a|&=", "b|"]),
        ]
    )
    func parsing(text: String, expected: [String]) {
        #expect(items(text) == expected)
    }

    @Test(
        "decodes every escape, and keeps a percent sign that begins none",
        arguments: [
            ("%41%42%43", "ABC"), ("%4a%4F%5a", "JOZ"), ("%", "%"), ("%4", "%4"),
            ("a%4g%41", "a%4gA"), ("%%41", "%A"),
            ("%g4", "%g4"), ("%2541", "%41"), ("a+b", "a+b"), ("%0a", "\n"),
            ("%:0%0@%/0%0`", "%:0%0@%/0%0`"),
        ]
    )
    func escapes(text: String, decoded: String) {
        #expect(FormFields.percentDecoded(Array(text.utf8), plusIsSpace: false) == decoded)
    }

    @Test("knows every hexadecimal digit, and no other character")
    func digits() {
        for byte in UInt8.min ... .max {
            let digit = byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
            #expect(FormFields.hexValue(byte).map(Int.init) == digit)
        }
    }
}
