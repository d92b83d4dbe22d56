import Foundation

/// A number's digits and magnitude, equal for `1.50`, `1.5` and `15e-1`.
private struct DecimalDigits: Equatable {
    private var digits: [UInt8] = []
    private var isNegative = false
    private var exponent = 0

    /// A limit far beyond a Double's exponents that doesn't overflow an Int.
    private static let farthestExponent = Int.max / 4

    init(_ text: String) {
        var bytes = text.utf8[...]
        isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { bytes.removeFirst() }
        let mantissa = bytes.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        var isFraction = false
        for byte in mantissa {
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else {
                digits.append(byte)
                if isFraction { exponent -= 1 }
            }
        }
        // An exponent that isn't an Int is far out of range. One close to the limits of Int would overflow in the
        // addition, so clamp it where it is still out of a Double's range.
        let written = Int(Substring(bytes.dropFirst(mantissa.count + 1))) ?? 0
        exponent += min(max(written, -Self.farthestExponent), Self.farthestExponent)
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        digits.trimPrefix { $0 == UInt8(ascii: "0") }
        if digits.isEmpty { exponent = 0 }
    }
}

/// A JSON number that no Swift type can hold, such as `1e400`, kept as text.
package struct JSONNumberLiteral: Equatable, Sendable, CustomStringConvertible {
    /// The text of the number.
    package let description: String

    /// Creates a number of the first type that holds it exactly.
    ///
    /// An `NSNumber` casts to every Swift number type that can hold its value, but an `Int` casts only to `Int`.
    package static func number(_ text: String, isInteger: Bool) -> Any? {
        if isInteger, text != "-0" {
            if let integer = Int64(text) { return NSNumber(value: integer) }
            if let integer = UInt64(text) { return NSNumber(value: integer) }
        } else if let double = Double(text), DecimalDigits(text) == DecimalDigits("\(double)") {
            return NSNumber(value: double)
        }
        // `Decimal` rounds beyond 38 digits, as JSONDecoder does, and is nil beyond its range of exponents.
        if let decimal = Decimal(string: text) { return NSDecimalNumber(decimal: decimal) }
        if let double = Double(text), double.isNormal { return NSNumber(value: double) }
        return JSONNumberLiteral(description: text)
    }
}

/// A decoder for the content of JSON strings.
package enum JSONString {
    /// Invalid UTF-8, or an escape that RFC 8259 doesn't define.
    package struct Invalid: Error {}

    /// Decodes the content of a string.
    ///
    /// - Parameter bytes: The bytes between the quotes.
    /// - Returns: The text, with escapes resolved.
    /// - Throws: ``Invalid`` for input that JSONDecoder rejects too: control characters, invalid UTF-8, unknown
    ///   escapes, or half a surrogate pair.
    package static func text(of bytes: UnsafeBufferPointer<UInt8>) throws(Invalid) -> String {
        var isASCII = true
        var isEscaped = false
        for byte in bytes {
            guard byte >= 0x20 else { throw Invalid() }
            if byte >= 0x80 { isASCII = false }
            if byte == UInt8(ascii: "\\") { isEscaped = true }
        }
        guard isEscaped else { return try verbatim(bytes, isASCII: isASCII) }
        return try verbatim(try unescaped(bytes, repairing: false), isASCII: false)
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

    /// Resolves the escapes of a string's content.
    ///
    /// - Parameters:
    ///   - bytes: The bytes between the quotes.
    ///   - repairs: Whether an invalid escape loses its backslash and half a surrogate pair becomes U+FFFD.
    /// - Returns: The content without escapes.
    /// - Throws: ``Invalid`` for an invalid escape or half a surrogate pair that isn't repaired.
    static func unescaped(
        _ bytes: UnsafeBufferPointer<UInt8>,
        repairing repairs: Bool
    ) throws(Invalid) -> [UInt8] {
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
            guard index < bytes.count else {
                guard repairs else { throw Invalid() }
                break
            }
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
                let scalar = try scalar(in: bytes, at: &index, repairing: repairs)
                text.append(contentsOf: String(Character(scalar)).utf8)
            default:
                guard repairs else { throw Invalid() }
                text.append(escape)
            }
        }
        return text
    }

    /// Reads the scalar of `XXXX`, or of `XXXX\uXXXX` for a surrogate pair.
    private static func scalar(
        in bytes: UnsafeBufferPointer<UInt8>,
        at index: inout Int,
        repairing repairs: Bool
    ) throws(Invalid) -> Unicode.Scalar {
        let first = try codeUnit(in: bytes, at: &index, repairing: repairs)
        if let scalar = Unicode.Scalar(first) { return scalar }
        var next = index + 2
        if (0xD800..<0xDC00).contains(first), next <= bytes.count,
            bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        {
            let second = try codeUnit(in: bytes, at: &next, repairing: repairs)
            if (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
            {
                index = next
                return scalar
            }
        }
        guard repairs else { throw Invalid() }
        return "\u{FFFD}"
    }

    /// Reads the four digits of a `\u` escape.
    static func codeUnit(
        in bytes: UnsafeBufferPointer<UInt8>,
        at index: inout Int,
        repairing repairs: Bool
    ) throws(Invalid) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard index < bytes.count, let digit = FormFields.hexValue(bytes[index]) else {
                guard repairs else { throw Invalid() }
                break
            }
            unit = unit << 4 | UInt32(digit)
            index += 1
        }
        return unit
    }
}

/// A JSON syntax error, with its position.
package struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    package enum Reason: String, Sendable {
        case unexpectedEnd = "unexpected end"
        case unexpectedCharacter = "unexpected character"
        case invalidString = "invalid string"
        case unsupportedNumber = "number out of range"
        case tooDeep = "nested too deeply"
        case tooManyMarks = "too many combining marks in a row"
    }

    /// The kind of error.
    package let reason: Reason
    /// The position of the error, in bytes from the start of the text.
    package let offset: Int

    /// Creates an error.
    ///
    /// At or beyond the end of the text, its reason is an unexpected end.
    package init(_ reason: Reason = .unexpectedCharacter, at offset: Int, of count: Int) {
        self.reason = offset >= count ? .unexpectedEnd : reason
        self.offset = min(offset, count)
    }

    /// The reason and the position, without any of the text.
    package var description: String { "\(reason.rawValue) at byte \(offset)" }
}
