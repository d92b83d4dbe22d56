import Foundation

/// A strict JSON parser, except that it allows a trailing comma, as JSONDecoder does.
///
/// `JSONSerialization` would lose digits, and is many times slower.
struct JSONParser<Builder: JSONBuilder> {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Parses a UTF-8 document.
    static func document(
        in bytes: UnsafeBufferPointer<UInt8>
    ) throws(JSONSyntaxError) -> Builder.Node {
        var parser = JSONParser(bytes)
        let node = try parser.value(depth: 0)
        parser.skipWhiteSpace()
        if parser.index < bytes.count { throw parser.failure() }
        return node
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> Builder.Node {
        skipWhiteSpace()
        guard depth <= JSONNesting.maximumDepth else { throw failure(.tooDeep) }
        guard let byte = current, let kind = JSONKind(firstByte: byte) else { throw failure() }
        return switch kind {
        case .object: try object(depth: depth)
        case .array: try array(depth: depth)
        case .string: Builder.string(try string())
        case .number: try number()
        case .boolean where byte == UInt8(ascii: "t"): try literal("true", Builder.bool(true))
        case .boolean: try literal("false", Builder.bool(false))
        case .null: try literal("null", Builder.null)
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> Builder.Node {
        index += 1
        skipWhiteSpace()
        var members: [String: Builder.Node] = [:]
        while current != UInt8(ascii: "}") {
            guard current == UInt8(ascii: "\"") else { throw failure() }
            let name = try string()
            skipWhiteSpace()
            guard current == UInt8(ascii: ":") else { throw failure() }
            index += 1
            let node = try value(depth: depth + 1)
            // The first of several members with the same name applies, as with JSONDecoder.
            if members[name] == nil { members[name] = node }
            try skipComma(before: UInt8(ascii: "}"))
        }
        index += 1
        return Builder.object(members)
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> Builder.Node {
        index += 1
        skipWhiteSpace()
        var elements: [Builder.Node] = []
        while current != UInt8(ascii: "]") {
            elements.append(try value(depth: depth + 1))
            try skipComma(before: UInt8(ascii: "]"))
        }
        index += 1
        return Builder.array(elements)
    }

    private mutating func skipComma(before end: UInt8) throws(JSONSyntaxError) {
        skipWhiteSpace()
        if current == UInt8(ascii: ",") {
            index += 1
            skipWhiteSpace()
        } else if current != end {
            throw failure()
        }
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        index += 1
        let start = index
        while let byte = current, byte != UInt8(ascii: "\"") {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count else { throw failure() }
        let content = UnsafeBufferPointer(rebasing: bytes[start..<index])
        index += 1
        do {
            return try JSONString.text(of: content)
        } catch {
            throw JSONSyntaxError(.invalidString, at: start, of: bytes.count)
        }
    }

    private mutating func number() throws(JSONSyntaxError) -> Builder.Node {
        let start = index
        skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try skipDigits() }
        var isInteger = true
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            try skipDigits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
            try skipDigits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let node = Builder.number(text, isInteger: isInteger) else {
            throw JSONSyntaxError(.unsupportedNumber, at: start, of: bytes.count)
        }
        return node
    }

    private mutating func literal(
        _ text: StaticString,
        _ node: Builder.Node
    ) throws(JSONSyntaxError) -> Builder.Node {
        for position in 0..<text.utf8CodeUnitCount {
            guard skip(text.utf8Start[position]) else { throw failure() }
        }
        return node
    }

    private mutating func skipDigits() throws(JSONSyntaxError) {
        let start = index
        while let byte = current, (0x30...0x39).contains(byte) { index += 1 }
        if index == start { throw failure() }
    }

    @discardableResult
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipWhiteSpace() {
        while let byte = current, byte.isJSONWhiteSpace { index += 1 }
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func failure(
        _ reason: JSONSyntaxError.Reason = .unexpectedCharacter
    ) -> JSONSyntaxError {
        JSONSyntaxError(reason, at: index, of: bytes.count)
    }
}

/// A builder of the values that a ``JSONParser`` produces.
protocol JSONBuilder {
    associatedtype Node
    static var null: Node { get }
    static func bool(_ value: Bool) -> Node
    static func string(_ text: String) -> Node
    static func array(_ elements: [Node]) -> Node
    static func object(_ members: [String: Node]) -> Node
    /// Creates a number from JSON text, or nil if `Node` can't hold it.
    static func number(_ text: String, isInteger: Bool) -> Node?
}

/// A builder of ``JSONValue``.
enum JSONValueBuilder: JSONBuilder {
    static var null: JSONValue { .null }
    static func bool(_ value: Bool) -> JSONValue { .bool(value) }
    static func string(_ text: String) -> JSONValue { .string(text) }
    static func array(_ elements: [JSONValue]) -> JSONValue { .array(elements) }
    static func object(_ members: [String: JSONValue]) -> JSONValue { .object(members) }

    static func number(_ text: String, isInteger: Bool) -> JSONValue? {
        if isInteger, let integer = Int64(text) { return .number(Decimal(integer)) }
        return Decimal(string: text).map(JSONValue.number)
    }
}

/// A builder of the input of a ``ResponseJSONConverter``.
enum AnyJSONBuilder: JSONBuilder {
    static var null: Any { NSNull() }
    static func bool(_ value: Bool) -> Any { value }
    static func string(_ text: String) -> Any { text }
    static func array(_ elements: [Any]) -> Any { elements }
    static func object(_ members: [String: Any]) -> Any { members }

    /// Creates a number of the first type that holds it exactly.
    ///
    /// An `NSNumber` casts to every Swift number type that can hold its value, but an `Int` casts only to `Int`.
    static func number(_ text: String, isInteger: Bool) -> Any? {
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

/// A number's digits and magnitude, equal for `1.50`, `1.5` and `15e-1`.
private struct DecimalDigits: Equatable {
    private var digits: [UInt8] = []
    private var isNegative = false
    private var exponent = 0

    /// A limit far beyond a Double's exponents that doesn't overflow an Int.
    private static let farthestExponent = 1 << 60

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
struct JSONNumberLiteral: Equatable, Sendable, CustomStringConvertible {
    /// The text of the number.
    let description: String
}

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

/// A JSON syntax error, with its position.
package struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    package enum Reason: String, Sendable {
        case unexpectedEnd = "unexpected end"
        case unexpectedCharacter = "unexpected character"
        case invalidString = "invalid string"
        case unsupportedNumber = "number out of range"
        case tooDeep = "nested too deeply"
    }

    /// The kind of error.
    package let reason: Reason
    /// The position of the error, in bytes from the start of the text.
    package let offset: Int

    /// Creates an error.
    ///
    /// At or beyond the end of the text, its reason is an unexpected end.
    init(_ reason: Reason = .unexpectedCharacter, at offset: Int, of count: Int) {
        self.reason = offset >= count ? .unexpectedEnd : reason
        self.offset = min(offset, count)
    }

    /// The reason and the position, without any of the text.
    package var description: String { "\(reason.rawValue) at byte \(offset)" }
}
