/// A decoder for the content of JSON strings.
enum JSONString {
    /// Invalid UTF-8, or an escape that RFC 8259 doesn't define.
    struct Invalid: Error {}

    /// Decodes the content of a string.
    ///
    /// - Parameter bytes: The bytes between the quotes.
    /// - Returns: The text, with escapes resolved.
    /// - Throws: ``Invalid`` for input that JSONDecoder rejects too: control characters, invalid UTF-8, unknown
    ///   escapes, or half a surrogate pair.
    static func text(of bytes: UnsafeBufferPointer<UInt8>) throws(Invalid) -> String {
        var isASCII = true
        var isEscaped = false
        for byte in bytes {
            guard byte >= 0x20 else { throw Invalid() }
            if byte >= 0x80 { isASCII = false }
            if byte == UInt8(ascii: "\\") { isEscaped = true }
        }
        guard isEscaped else { return try verbatim(bytes, isASCII: isASCII) }
        return try unescaped(bytes)
    }

    private static func verbatim(
        _ bytes: some Collection<UInt8>,
        isASCII: Bool
    ) throws(Invalid) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        // Invalid UTF-8 was repaired, so the bytes differ.
        guard isASCII || text.utf8.elementsEqual(bytes) else { throw Invalid() }
        return text
    }

    private static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) throws(Invalid) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard index < bytes.count else { throw Invalid() }
            let escape = bytes[index]
            index += 1
            switch escape {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                let scalar = try scalar(in: bytes, at: &index)
                text.append(contentsOf: String(Character(scalar)).utf8)
            default: throw Invalid()
            }
        }
        return try verbatim(text, isASCII: false)
    }

    /// Reads the scalar of `XXXX`, or of `XXXX\uXXXX` for a surrogate pair.
    private static func scalar(
        in bytes: UnsafeBufferPointer<UInt8>,
        at index: inout Int
    ) throws(Invalid) -> Unicode.Scalar {
        let first = try codeUnit(in: bytes, at: &index)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), index + 1 < bytes.count,
            bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { throw Invalid() }
        index += 2
        let second = try codeUnit(in: bytes, at: &index)
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw Invalid() }
        return scalar
    }

    private static func codeUnit(
        in bytes: UnsafeBufferPointer<UInt8>,
        at index: inout Int
    ) throws(Invalid) -> UInt32 {
        guard index + 4 <= bytes.count else { throw Invalid() }
        var unit: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw Invalid() }
            unit = unit << 4 | UInt32(digit)
        }
        index += 4
        return unit
    }
}
