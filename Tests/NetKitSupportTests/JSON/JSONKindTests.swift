import Testing

@testable import NetKitSupport

@Suite("Kinds of JSON values")
struct JSONKindTests {
    @Test("follow the first byte")
    func firstBytes() {
        for byte in UInt8.min ... .max {
            let kind: JSONKind? =
                switch byte {
                case UInt8(ascii: "{"): .object
                case UInt8(ascii: "["): .array
                case UInt8(ascii: "\""): .string
                case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
                case UInt8(ascii: "n"): .null
                default: "-0123456789".utf8.contains(byte) ? .number : nil
                }
            #expect(JSONKind(firstByte: byte) == kind, "\(byte)")
        }
    }
}
