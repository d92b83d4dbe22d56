import Foundation

/// A writer that produces a value's JSON text in one pass.
package struct JSONValueWriter {
    /// The maximum depth, the same as JSONDecoder's.
    static let maximumDepth = 512

    /// The text so far.
    package var buffer = JSONTextBuffer()

    package init() {}

    /// Returns the JSON text of a document.
    ///
    /// - Throws: The location of a number that isn't finite, or of too many levels.
    package static func text(of document: JSONValue) throws(Unencodable) -> [UInt8] {
        var writer = JSONValueWriter()
        try writer.write(document, depth: 0)
        return writer.buffer.bytes
    }

    /// Writes any value that has a JSON form.
    mutating func write(any value: Any, depth: Int) throws(Unencodable) {
        // Exact types first, because comparing types is much cheaper than a failed cast.
        let type = type(of: value)
        if type == String.self, let string = value as? String {
            buffer.append(string: string)
        } else if type == Int.self, let integer = value as? Int {
            buffer.append(json: String(integer))
        } else if type == Bool.self, let bool = value as? Bool {
            buffer.append(json: bool ? "true" : "false")
        } else if type == Double.self, let double = value as? Double {
            try write(float: double)
        } else if type == [String: Any].self, let members = value as? [String: Any] {
            try write(object: members, depth: depth)
        } else if type == [Any].self, let elements = value as? [Any] {
            try write(array: elements, depth: depth)
        } else if type is AnyObject.Type {
            try write(instance: value, depth: depth)
        } else {
            try write(other: value, depth: depth)
        }
    }

    /// Writes an object with sorted keys.
    mutating func write(object: [String: some Any], depth: Int) throws(Unencodable) {
        guard depth < Self.maximumDepth else { throw Unencodable(object) }
        buffer.append("{")
        var isFirst = true
        for (key, value) in object.sortedByName {
            if !isFirst { buffer.append(",") }
            isFirst = false
            buffer.append(string: key)
            buffer.append(":")
            do throws(Unencodable) {
                try write(any: value, depth: depth + 1)
            } catch {
                throw error.inside(key: key)
            }
        }
        buffer.append("}")
    }

    mutating func write(array: some Sequence<Any>, depth: Int) throws(Unencodable) {
        guard depth < Self.maximumDepth else { throw Unencodable(array) }
        buffer.append("[")
        for (index, value) in array.enumerated() {
            if index > 0 { buffer.append(",") }
            do throws(Unencodable) {
                try write(any: value, depth: depth + 1)
            } catch {
                throw error.inside(index: index)
            }
        }
        buffer.append("]")
    }

    package mutating func write(_ value: JSONValue, depth: Int) throws(Unencodable) {
        switch value {
        case .null: buffer.append(json: "null")
        case .bool(let bool): buffer.append(json: bool ? "true" : "false")
        case .number(let number): try write(decimal: number)
        case .string(let string): buffer.append(string: string)
        case .array(let elements): try write(array: elements, depth: depth)
        case .object(let members): try write(object: members, depth: depth)
        }
    }

    /// Writes a finite number, without a fraction if it is whole.
    mutating func write(
        float: some BinaryFloatingPoint & CustomStringConvertible
    ) throws(Unencodable) {
        guard float.isFinite else { throw Unencodable(float) }
        let text = float.description
        buffer.append(json: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// Writes a number with all its digits.
    mutating func write(decimal: Decimal) throws(Unencodable) {
        guard decimal.isFinite else { throw Unencodable(decimal) }
        buffer.append(json: decimal.description)
    }
}

extension JSONValueWriter {
    /// Writes a value of a less common type that isn't a class.
    mutating func write(other value: Any, depth: Int) throws(Unencodable) {
        switch value {
        case let optional as any OptionalValue:
            guard let wrapped = optional.wrapped else { return buffer.append(json: "null") }
            try write(any: wrapped, depth: depth)
        case let value as JSONValue: try write(value, depth: depth)
        case let value as WrittenJSON: try value.write(to: &buffer)
        case let integer as any FixedWidthInteger: buffer.append(json: String(integer))
        case let decimal as Decimal: try write(decimal: decimal)
        case let float as any BinaryFloatingPoint & CustomStringConvertible:
            try write(float: float)
        case let string as any StringProtocol: buffer.append(string: string)
        case let date as Date: try write(date: date)
        case let url as URL: buffer.append(string: url.absoluteString)
        case let uuid as UUID: buffer.append(string: uuid.uuidString)
        case let data as Data: buffer.append(string: data.base64EncodedString())
        case let literal as JSONNumberLiteral: buffer.append(json: literal.description)
        case let hashable as AnyHashable where type(of: value) == AnyHashable.self:
            try write(any: hashable.base, depth: depth)
        case let dictionary as any KeyedMembers:
            try write(object: dictionary.members(), depth: depth)
        case let list as any ElementList: try write(list: list, depth: depth)
        case let encodable as any Encodable: try write(encodable: encodable)
        case let representable as any RawRepresentable:
            try write(any: representable.rawValue, depth: depth)
        default: throw Unencodable(value)
        }
    }

    /// Writes an instance of a Foundation class or of an Encodable class.
    mutating func write(instance value: Any, depth: Int) throws(Unencodable) {
        switch value {
        case is NSNull: buffer.append(json: "null")
        case let number as NSNumber: try write(number: number)
        case let string as NSString: buffer.append(string: string as String)
        case is NSDictionary:
            guard let members = value as? [String: Any] else { throw Unencodable(value) }
            try write(object: members, depth: depth)
        case is NSArray:
            guard let elements = value as? [Any] else { throw Unencodable(value) }
            try write(array: elements, depth: depth)
        case let date as NSDate: try write(date: date as Date)
        case let url as NSURL: buffer.append(string: (url as URL).absoluteString)
        case let uuid as NSUUID: buffer.append(string: uuid.uuidString)
        case let data as NSData: buffer.append(string: data.base64EncodedString())
        case let encodable as any Encodable: try write(encodable: encodable)
        default: throw Unencodable(value)
        }
    }

    private mutating func write(number: NSNumber) throws(Unencodable) {
        // A Boolean is one of two instances, but has the `objCType` of a small integer.
        if number === NSNumber(value: true) {
            buffer.append(json: "true")
        } else if number === NSNumber(value: false) {
            buffer.append(json: "false")
        } else if let decimal = number as? NSDecimalNumber {
            try write(decimal: decimal.decimalValue)
        } else {
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "f"): try write(float: number.floatValue)
            case UInt8(ascii: "d"): try write(float: number.doubleValue)
            case UInt8(ascii: "Q"): buffer.append(json: String(number.uint64Value))
            default: buffer.append(json: String(number.int64Value))
            }
        }
    }

    private mutating func write(date: Date) throws(Unencodable) {
        guard let text = ISO8601Text(date) else { throw Unencodable(date) }
        buffer.append(string: text.description)
    }

    /// Writes an array.
    ///
    /// An unordered set is sorted by its elements' JSON text.
    private mutating func write(list: any ElementList, depth: Int) throws(Unencodable) {
        guard list.isUnordered else { return try write(array: list.elements(), depth: depth) }
        guard depth < Self.maximumDepth else { throw Unencodable(list) }
        var texts: [[UInt8]] = []
        for (index, element) in list.elements().enumerated() {
            var writer = JSONValueWriter()
            do throws(Unencodable) {
                try writer.write(any: element, depth: depth + 1)
            } catch {
                throw error.inside(index: index)
            }
            texts.append(writer.buffer.bytes)
        }
        let sorted = texts.ordered { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
        buffer.append(
            json: "[\(sorted.joined(separator: ","))]"
        )
    }

    private mutating func write(encodable: any Encodable) throws(Unencodable) {
        do {
            buffer.append(json: try Self.encoder.encode(encodable))
        } catch EncodingError.invalidValue(let value, let context) {
            throw Unencodable(value, at: context.codingPath)
        } catch {
            throw Unencodable(encodable)
        }
    }

    /// Writes values as the rest of this writer does: ISO 8601 dates, base64 data and sorted keys.
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .withFractionsIfAny
        return encoder
    }()
}
