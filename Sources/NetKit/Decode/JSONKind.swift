/// What a JSON value is, as far as its first byte tells.
package enum JSONKind: String, Sendable, CustomStringConvertible {
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case number = "a number"
    case boolean = "a boolean"
    case null = "null"

    /// The kind of the value that begins with `byte`, nil if none does.
    package init?(firstByte byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
        case UInt8(ascii: "n"): self = .null
        default: return nil
        }
    }

    /// The kind with its article, for a sentence.
    package var description: String { rawValue }
}
