/// A parser for header field values: tokens, quoted strings and delimiters.
///
/// It reads each byte once, and reads bytes rather than characters, because a combining mark after a delimiter would
/// conceal it.
struct FieldReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    /// Whether the parser reached the end.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next byte, or nil at the end.
    var next: UInt8? { rest.first }

    /// Skips spaces and tabs.
    mutating func skipBlanks() {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    }

    /// Skips a delimiter, if it is next.
    ///
    /// - Parameter delimiter: An ASCII character.
    /// - Returns: Whether the delimiter was next.
    mutating func take(_ delimiter: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: delimiter) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads the next token.
    ///
    /// - Returns: The token, or nil if there is none.
    mutating func token() -> String? {
        let token = rest.prefix { HTTPToken.allows($0) }
        guard !token.isEmpty else { return nil }
        rest = rest[token.endIndex...]
        return String(Substring(token))
    }

    /// Reads the next quoted string (RFC 9110, section 5.6.4).
    ///
    /// - Returns: The unescaped string, or nil if it is missing, unterminated or contains a control character.
    mutating func quotedString() -> String? {
        guard take("\"") else { return nil }
        var value: [UInt8] = []
        var isClean = true
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") {
                return isClean ? String(decoding: value, as: UTF8.self) : nil
            }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { return nil }
                byte = escaped
            }
            if (byte < 0x20 && byte != 0x09) || byte == 0x7F { isClean = false }
            value.append(byte)
        }
        return nil
    }

    /// Reads up to the next comma or the end, and trims trailing spaces and tabs.
    ///
    /// - Returns: The text, or nil if it contains a control character.
    mutating func textBeforeComma() -> String? {
        var text = rest.prefix { $0 != UInt8(ascii: ",") }
        rest = rest[text.endIndex...]
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        guard text.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(Substring(text))
    }

    /// Skips past the next comma outside quotes, or to the end.
    mutating func skipElement() {
        var isQuoted = false
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\\") where isQuoted: _ = rest.popFirst()
            case UInt8(ascii: ",") where !isQuoted: return
            default: break
            }
        }
    }
}
