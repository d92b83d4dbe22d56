public import Foundation

/// A JSON document as a value, written as it reads: `["a": [1, "z", nil], "b": ["x": 1.5]]`.
///
/// Numbers are exact to 38 significant digits. The document that is sent has its keys sorted.
/// In a literal with the same key twice the later value counts.
public indirect enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, of up to 38 significant digits and with an exponent from -128 to 127.
    case number(Decimal)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object([String: JSONValue])
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes `null` of `nil`.
    public init(nilLiteral: ()) {
        self = .null
    }

    /// Makes a Boolean.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Makes a number of an integer.
    public init(integerLiteral value: Int) {
        self = .number(Decimal(value))
    }

    /// Makes the number that was written: `1.1` is 1.1.
    ///
    /// A value that is not finite, or that `Decimal` cannot hold, becomes `null`.
    public init(floatLiteral value: Double) {
        self = Decimal(written: value).map(JSONValue.number) ?? .null
    }

    /// Makes a string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Makes an array.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }

    /// Makes an object; the later of two values for one key counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, later in later }))
    }
}

extension JSONValue {
    /// The member of an object, nil if there is none or this is not an object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The element of an array, nil if there is none or this is not an array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else {
            return nil
        }
        return elements[index]
    }

    /// The string, nil if this is not one.
    public var stringValue: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    /// The number, nil if this is not one.
    public var decimalValue: Decimal? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// The Boolean, nil if this is not one; a number never is.
    public var boolValue: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }
}

extension Decimal {
    /// The decimal that reads as `value` does; `Decimal(_: Double)` is a digit off for many.
    package init?(written value: Double) {
        guard value.isFinite else { return nil }
        let decimal = Decimal(string: value.description) ?? Decimal(value)
        guard decimal.isFinite else { return nil }
        self = decimal
    }
}

extension JSONValue: Codable {
    /// Decodes any JSON value.
    ///
    /// A decoder's time for a value grows with the square of its depth. NetKit refuses a body that would take too long;
    /// limit the depth of what you decode yourself.
    ///
    /// - Throws: `DecodingError` if there is a number that `Decimal` cannot hold.
    public init(from decoder: any Decoder) throws {
        // From the likeliest to the rarest: each wrong guess costs an error.
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let number = try? container.decode(Decimal.self) {
            self = .number(number)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if (try? decoder.container(keyedBy: AnyKey.self)) != nil {
            // As a dictionary, whose keys no key-decoding strategy touches.
            self = .object(try container.decode([String: JSONValue].self))
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([JSONValue].self))
        } else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a number that Decimal cannot hold"
            )
        }
    }

    /// Encodes the value; numbers are written exactly.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .string(let string): try container.encode(string)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

/// Any member's name, to ask whether a value is an object.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}
