import Foundation

/// What a ``JSONParser`` makes of what it reads.
protocol JSONBuilder {
    associatedtype Node
    static var null: Node { get }
    static func bool(_ value: Bool) -> Node
    static func string(_ text: String) -> Node
    static func array(_ elements: [Node]) -> Node
    static func object(_ members: [String: Node]) -> Node
    /// The number that `text` writes by JSON's grammar, nil if `Node` cannot hold it.
    static func number(_ text: String, isInteger: Bool) -> Node?
}

/// Builds ``JSONValue``.
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

/// Builds what converters get, see ``ResponseJSONConverter``.
enum AnyJSONBuilder: JSONBuilder {
    static var null: Any { NSNull() }
    static func bool(_ value: Bool) -> Any { value }
    static func string(_ text: String) -> Any { text }
    static func array(_ elements: [Any]) -> Any { elements }
    static func object(_ members: [String: Any]) -> Any { members }

    /// The number in the first form that holds it exactly.
    ///
    /// An `NSNumber` casts to every Swift number type that holds its value, an `Int` to `Int` alone.
    static func number(_ text: String, isInteger: Bool) -> Any? {
        if isInteger, text != "-0" {
            if let integer = Int64(text) { return NSNumber(value: integer) }
            if let integer = UInt64(text) { return NSNumber(value: integer) }
        } else if let double = Double(text), DecimalDigits(text) == DecimalDigits("\(double)") {
            return NSNumber(value: double)
        }
        // Beyond 38 digits `Decimal` rounds, as JSONDecoder does; beyond its exponents it is nil.
        if let decimal = Decimal(string: text) { return NSDecimalNumber(decimal: decimal) }
        if let double = Double(text), double.isNormal { return NSNumber(value: double) }
        return JSONNumberLiteral(description: text)
    }
}

/// The digits and the magnitude of a number's text: equal for `1.50`, `1.5` and `15e-1`.
private struct DecimalDigits: Equatable {
    private var digits: [UInt8] = []
    private var isNegative = false
    private var exponent = 0

    /// Far beyond the exponents of a Double, and as far from those of an Int.
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
        // An exponent that is no Int is beyond all comparison. One that nearly is none would overflow with the
        // digits' own: it is kept where no Double reaches either.
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

/// A number of a JSON document that no Swift type holds, such as `1e400`, kept as it was written.
struct JSONNumberLiteral: Equatable, Sendable, CustomStringConvertible {
    /// The number's text.
    let description: String
}
