import Foundation

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
