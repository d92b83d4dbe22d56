/// Reads a field's value from its front: tokens, quoted strings and what separates them.
///
/// Everything is read byte by byte, and once: a combining mark behind a delimiter must not hide it.
struct FieldReader {
    private var rest: Substring.UTF8View

    /// Makes a reader of a field's value.
    init(_ text: String) {
        rest = Substring(text).utf8
    }

    /// Whether everything was read.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next byte, nil at the end.
    var next: UInt8? { rest.first }

    /// Moves behind spaces and tabs.
    mutating func skipBlanks() {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    }

    /// Moves behind a delimiter, if it is next.
    ///
    /// - Parameter delimiter: An ASCII character.
    /// - Returns: Whether it was there.
    mutating func take(_ delimiter: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: delimiter) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads the token that is next.
    ///
    /// - Returns: The token, nil if there is none.
    mutating func token() -> String? {
        let token = rest.prefix { HTTPToken.allows($0) }
        guard !token.isEmpty else { return nil }
        rest = rest[token.endIndex...]
        return String(Substring(token))
    }

    /// Reads the quoted string that is next (RFC 9110, section 5.6.4), and moves behind it.
    ///
    /// - Returns: What it stands for; nil if there is none, if it does not end, and if it has a control character.
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

    /// Reads the text in front of the next comma, or the end, without blanks behind it.
    ///
    /// - Returns: The text, nil if it has a control character.
    mutating func textBeforeComma() -> String? {
        var text = rest.prefix { $0 != UInt8(ascii: ",") }
        rest = rest[text.endIndex...]
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        guard text.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(Substring(text))
    }

    /// Moves behind the next comma that stands in no quotes, or to the end.
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
