public import Foundation
package import NetKitSupport

/// A JSON document, which you can write as a literal: `["a": [1, "z", nil], "b": ["x": 1.5]]`.
///
/// Numbers are exact to 38 significant digits. Keys are sorted in the document that is sent. If a literal contains a
/// key twice, the later value applies.
public indirect enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with up to 38 significant digits and an exponent from -128 to 127.
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
    /// Creates `null` from `nil`.
    public init(nilLiteral: ()) { self = .null }

    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a number from an integer.
    public init(integerLiteral value: Int) {
        self = .number(Decimal(value))
    }

    /// Creates a number exactly as written: `1.1` is 1.1.
    ///
    /// A value that isn't finite, or is out of the range of `Decimal`, becomes `null`.
    public init(floatLiteral value: Double) {
        self = Decimal(written: value).map(JSONValue.number) ?? .null
    }

    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }

    /// Creates an object.
    ///
    /// If a key appears twice, the later value applies.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, later in later }))
    }
}

extension JSONValue {
    /// The member with a key, or nil if there is none.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The element at an index, or nil if there is none.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The string, or nil if this isn't one.
    public var stringValue: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The number, or nil if this isn't one.
    public var decimalValue: Decimal? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The Boolean, or nil if this isn't one.
    ///
    /// A number is never a Boolean.
    public var boolValue: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }
}

extension JSONValue: Described {
    /// The document as compact JSON, with sorted keys and exact numbers.
    ///
    /// It can contain secrets, and NetKit never logs it. A value without a JSON form, such as a number that isn't
    /// finite, is described by its key path instead.
    package var shown: String {
        do throws(Unencodable) {
            return String(decoding: try JSONValueWriter.text(of: self), as: UTF8.self)
        } catch {
            return "no JSON: the \(error.type) at \(error.keyPath(below: "").debugDescription)"
        }
    }
}

extension JSONValue: JSONWritable {
    package func write(to writer: inout JSONValueWriter, depth: Int) throws(Unencodable) {
        switch self {
        case .null: writer.buffer.append(json: "null")
        case .bool(let bool): writer.buffer.append(json: bool ? "true" : "false")
        case .number(let number): try writer.write(decimal: number)
        case .string(let string): writer.buffer.append(string: string)
        case .array(let elements):
            try writer.write(array: elements.count, depth: depth) {
                (writer, index) throws(Unencodable) in
                try elements[index].write(to: &writer, depth: depth + 1)
            }
        case .object(let members):
            try writer.write(
                object: Array(members.keys),
                of: [String: JSONValue].self,
                depth: depth
            ) {
                (writer, key) throws(Unencodable) in
                try members[key]?.write(to: &writer, depth: depth + 1)
            }
        }
    }
}

extension JSONValue: Codable {
    /// Decodes any JSON value.
    ///
    /// Decoding time grows with the square of the nesting depth. NetKit refuses response bodies that would take too
    /// long. If you decode other input, limit its depth.
    ///
    /// - Throws: `DecodingError` if a number is out of the range of `Decimal`.
    public init(from decoder: any Decoder) throws {
        // Most likely type first, because each wrong guess costs an error.
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let number = try? container.decode(Decimal.self) {
            self = .number(number)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if (try? decoder.container(keyedBy: FieldKey.self)) != nil {
            // A dictionary, because key decoding strategies don't apply to its keys.
            self = .object(try container.decode([String: JSONValue].self))
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([JSONValue].self))
        } else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a number outside the range of Decimal"
            )
        }
    }

    /// Encodes the value, with exact numbers.
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
