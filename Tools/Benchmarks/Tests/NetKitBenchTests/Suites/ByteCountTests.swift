import Testing

@testable import NetKitBench

@Suite("Byte count")
struct ByteCountTests {
    @Test(
        "parses bytes with or without a unit, and nothing else",
        arguments: [
            ("1000", 1000), ("3KiB", 3072), ("64MiB", 67_108_864), ("1GiB", 1_073_741_824),
            ("0", nil), ("-1", nil), ("", nil), ("MiB", nil), ("1GB", nil), ("1 MiB", nil),
            ("9223372036854775807KiB", nil),
        ]
    )
    func parses(text: String, bytes: Int?) {
        #expect(ByteCount(argument: text)?.bytes == bytes)
    }

    @Test(
        "prints the largest unit that fits",
        arguments: [(1000, "1000"), (1536 << 10, "1536KiB"), (2048 << 20, "2GiB")]
    )
    func describes(bytes: Int, text: String) {
        #expect(ByteCount(bytes).description == text)
    }
}
