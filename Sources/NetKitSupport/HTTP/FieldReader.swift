/// A parser for header field values: tokens, quoted strings and delimiters.
///
/// It reads each byte once, and reads bytes rather than characters, because a combining mark after a delimiter would
/// conceal it.
package struct FieldReader {
    private var rest: Substring.UTF8View

    package init(_ text: String) {
        rest = Substring(text).utf8
    }

    /// Whether the parser reached the end.
    package var isAtEnd: Bool { rest.isEmpty }

    /// The next byte, or nil at the end.
    package var next: UInt8? { rest.first }

    /// Skips spaces and tabs.
    package mutating func skipBlanks() {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    }

    /// Skips a delimiter, if it is next.
    ///
    /// - Parameter delimiter: An ASCII character.
    /// - Returns: Whether the delimiter was next.
    package mutating func take(_ delimiter: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: delimiter) else { return false }
        rest.removeFirst()
        return true
    }

    /// Skips to a delimiter, or to the end.
    ///
    /// - Parameter delimiter: An ASCII character, which stays the next one.
    package mutating func skip(to delimiter: Unicode.Scalar) {
        rest = rest.drop { $0 != UInt8(ascii: delimiter) }
    }

    /// Reads the next token.
    ///
    /// - Returns: The token, or nil if there is none.
    package mutating func token() -> String? {
        let token = rest.prefix { HTTPToken.allows($0) }
        guard !token.isEmpty else { return nil }
        rest = rest[token.endIndex...]
        return String(Substring(token))
    }

    /// Reads the next quoted string (RFC 9110, section 5.6.4).
    ///
    /// - Returns: The unescaped string, or nil if it is missing, unterminated or contains a control character.
    package mutating func quotedString() -> String? {
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
    package mutating func textBeforeComma() -> String? {
        var text = rest.prefix { $0 != UInt8(ascii: ",") }
        rest = rest[text.endIndex...]
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        guard text.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(Substring(text))
    }

    /// Skips past the next comma outside quotes, or to the end.
    package mutating func skipElement() {
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

extension String {
    /// Whether the string is a nonempty token (RFC 9110, section 5.6.2).
    package var isHTTPToken: Bool {
        !isEmpty && utf8.allSatisfy { HTTPToken.allows($0) }
    }

    /// Whether a header field can carry the text: it contains no control characters except tabs.
    package var isFieldValue: Bool {
        !utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }

    /// The text without leading and trailing spaces and tabs.
    package var trimmedOfBlanks: String {
        guard let first = utf8.first, let last = utf8.last,
            first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09
        else { return self }
        func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
        let start = unicodeScalars.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(Substring(start[...last]))
    }
}

extension String.UTF8View {
    /// Calls `body` with the bytes, and copies them only if they aren't contiguous.
    package func withContiguousBytes<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
    }
}

/// The character set of tokens.
package enum HTTPToken {
    package static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// Whether all bytes are allowed, and there is one.
    package static func allows(_ bytes: UnsafeRawBufferPointer) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { allows($0) }
    }

    /// Lowercases an ASCII letter, and returns any other byte unchanged.
    package static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

/// A quoted string, in which only `"` and `\` are special (RFC 9110, section 5.6.4).
package enum QuotedString {
    /// Quotes a text, and escapes `"` and `\`.
    ///
    /// - Parameter text: The text. The caller checks whether a field can carry it.
    /// - Returns: The quoted text.
    package static func quoting(_ text: String) -> String {
        var bytes = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(UInt8(ascii: "\\"))
            }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self) + "\""
    }
}

extension StringProtocol {
    /// Parses a nonnegative decimal integer of ASCII digits only.
    ///
    /// `Int("+5")` is 5, but most header field grammars don't allow a sign.
    ///
    /// - Parameter type: The number's type. Inferred where the context determines it.
    /// - Returns: The number, or nil for any other text, including a sign, and for a number out of the type's range.
    @inlinable
    package func asciiNumber<Number: FixedWidthInteger>(
        as type: Number.Type = Number.self
    ) -> Number? {
        UInt64(asciiDigits: String(self)).flatMap { Number(exactly: $0) }
    }
}

extension UInt64 {
    /// Parses ASCII digits.
    ///
    /// Nil for any other text.
    @usableFromInline
    @inline(never)
    package init?(asciiDigits text: String) {
        guard !text.isEmpty else { return nil }
        self = 0
        for byte in text.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (tens, overflows) = multipliedReportingOverflow(by: 10)
            let (sum, isTooMuch) = tens.addingReportingOverflow(Self(byte - 0x30))
            guard !overflows, !isTooMuch else { return nil }
            self = sum
        }
    }
}

/// What is wrong with a part of a request's head that is refused.
package enum FieldProblem {
    /// What is wrong with a method that isn't a token.
    package static func ofMethod(_ method: String) -> String {
        if method.isEmpty { return "it is empty" }
        if method.contains(" ") { return "a method has no spaces" }
        return "it is not a token (RFC 9110, section 9.1), such as POST"
    }

    /// What is wrong with a field whose name isn't a token, or whose value has control characters.
    package static func of(_ name: String, _ value: String) -> String {
        if !name.isHTTPToken { return "the name is not a token (RFC 9110, section 5.1)" }
        let isBroken = value.utf8.contains { $0 == 0x0A || $0 == 0x0D }
        return isBroken
            ? "the value contains a line break" : "the value contains a control character"
    }
}
