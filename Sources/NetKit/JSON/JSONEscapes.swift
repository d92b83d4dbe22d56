/// The escapes in JSON strings (RFC 8259, section 7).
enum JSONEscapes {
    /// Resolves the escapes in a string's content.
    ///
    /// An invalid escape loses its backslash.
    static func resolved(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.contains(UInt8(ascii: "\\")) else { return bytes }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            switch rest.popFirst() {
            case nil: break
            case UInt8(ascii: "b"): plain.append(0x08)
            case UInt8(ascii: "f"): plain.append(0x0C)
            case UInt8(ascii: "n"): plain.append(0x0A)
            case UInt8(ascii: "r"): plain.append(0x0D)
            case UInt8(ascii: "t"): plain.append(0x09)
            case UInt8(ascii: "u"): plain += String(Character(scalar(&rest))).utf8
            case let other?: plain.append(other)
            }
        }
        return plain[...]
    }

    /// Escapes a text for use between quotes.
    static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): escaped += [UInt8(ascii: "\\"), byte]
            case 0x0A: escaped += #"\n"#.utf8
            case 0x0D: escaped += #"\r"#.utf8
            case 0x09: escaped += #"\t"#.utf8
            case 0..<0x20:
                escaped += #"\u00"#.utf8 + [digit(byte >> 4), digit(byte & 0xF)]
            default: escaped.append(byte)
            }
        }
        return escaped
    }

    /// Reads the scalar of `XXXX`, or of `XXXX\uXXXX` for a surrogate pair.
    ///
    /// U+FFFD for half a pair.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
        let first = codeUnit(&rest)
        if let scalar = Unicode.Scalar(first) { return scalar }
        var next = rest
        guard next.starts(with: #"\u"#.utf8) else { return "\u{FFFD}" }
        next = next.dropFirst(2)
        let second = codeUnit(&next)
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { return "\u{FFFD}" }
        rest = next
        return scalar
    }

    private static func codeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = rest.first, let digit = FormFields.hexValue(byte) else { break }
            unit = unit << 4 | UInt32(digit)
            rest.removeFirst()
        }
        return unit
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x61 + value - 10
    }
}
