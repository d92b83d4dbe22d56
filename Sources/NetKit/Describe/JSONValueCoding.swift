import Foundation

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
