import Testing

@testable import NetKitSupport

@Suite("ASCII numbers")
struct AsciiNumberTests {
    @Test(
        "parses digits only, up to the type's range",
        arguments: [
            ("0", 0), ("007", 7), ("1234567890", 1_234_567_890),
            ("18446744073709551615", UInt64.max), ("", nil),
            ("18446744073709551616", nil), ("18446744073709551620", nil),
            ("99999999999999999999", nil), ("+5", nil),
            ("-5", nil), (" 5", nil), ("5 ", nil), ("5/", nil), ("5:", nil), ("٥", nil),
            ("0x5", nil),
        ] as [(String, UInt64?)]
    )
    func digits(text: String, number: UInt64?) {
        #expect(text.asciiNumber(as: UInt64.self) == number)
        #expect(text[...].asciiNumber(as: UInt64.self) == number)
    }

    @Test("returns nil beyond a smaller type's range")
    func ranges() {
        #expect("127".asciiNumber(as: Int8.self) == 127)
        #expect("128".asciiNumber(as: Int8.self) == nil)
        #expect("9223372036854775807".asciiNumber(as: Int64.self) == .max)
        #expect("9223372036854775808".asciiNumber(as: Int64.self) == nil)
    }
}
