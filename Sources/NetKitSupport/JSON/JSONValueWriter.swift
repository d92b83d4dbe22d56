package import Foundation

/// A value with a JSON form of its own.
package protocol JSONWritable {
    /// Writes the value.
    ///
    /// - Parameters:
    ///   - writer: The writer.
    ///   - depth: The number of containers around the value.
    /// - Throws: The location of a value without a JSON form, or of too many levels.
    func write(to writer: inout JSONValueWriter, depth: Int) throws(Unencodable)
}

/// A writer that produces a value's JSON text in one pass.
package struct JSONValueWriter {
    /// The text so far.
    package var buffer = JSONTextBuffer()

    package init() {}

    /// Returns the JSON text of a document.
    ///
    /// - Throws: The location of a number that isn't finite, or of too many levels.
    package static func text(of document: some JSONWritable) throws(Unencodable) -> [UInt8] {
        var writer = JSONValueWriter()
        try document.write(to: &writer, depth: 0)
        return writer.buffer.bytes
    }

    /// Returns the text of a value for a form field.
    ///
    /// - Returns: A scalar without quotes, a collection as JSON, or nil for `Optional.none` and null.
    package static func fieldText(of value: Any) throws(Unencodable) -> String? {
        var writer = JSONValueWriter()
        try writer.write(any: value, depth: 0)
        return writer.buffer.fieldText
    }

    /// Writes any value that has a JSON form.
    package mutating func write(any value: Any, depth: Int) throws(Unencodable) {
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

    private mutating func write(object: [String: Any], depth: Int) throws(Unencodable) {
        try write(object: Array(object.keys), of: [String: Any].self, depth: depth) {
            (writer, key) throws(Unencodable) in
            guard let value = object[key] else { return }
            try writer.write(any: value, depth: depth + 1)
        }
    }

    /// Writes an object with sorted keys.
    ///
    /// - Parameters:
    ///   - keys: The keys, in any order.
    ///   - type: The type of the object, for the error.
    ///   - depth: The number of containers around the object.
    ///   - member: Writes the value of a key.
    /// - Throws: The location of a value without a JSON form, or of too many levels.
    package mutating func write(
        object keys: [String],
        of type: Any.Type,
        depth: Int,
        _ member: (inout JSONValueWriter, String) throws(Unencodable) -> Void
    ) throws(Unencodable) {
        guard depth < JSONNesting.maximumDepth else { throw Unencodable(type: type, at: []) }
        buffer.append("{")
        var isFirst = true
        for key in sortedNames(keys) {
            if !isFirst { buffer.append(",") }
            isFirst = false
            buffer.append(string: key)
            buffer.append(":")
            do throws(Unencodable) {
                try member(&self, key)
            } catch {
                throw error.inside(key: key)
            }
        }
        buffer.append("}")
    }

    private mutating func write(array: [Any], depth: Int) throws(Unencodable) {
        try write(array: array.count, depth: depth) { (writer, index) throws(Unencodable) in
            try writer.write(any: array[index], depth: depth + 1)
        }
    }

    /// Writes an array.
    ///
    /// - Parameters:
    ///   - count: The number of elements.
    ///   - depth: The number of containers around the array.
    ///   - element: Writes the element at an index.
    /// - Throws: The location of a value without a JSON form, or of too many levels.
    package mutating func write(
        array count: Int,
        depth: Int,
        _ element: (inout JSONValueWriter, Int) throws(Unencodable) -> Void
    ) throws(Unencodable) {
        guard depth < JSONNesting.maximumDepth else { throw Unencodable(type: [Any].self, at: []) }
        buffer.append("[")
        for index in 0..<count {
            if index > 0 { buffer.append(",") }
            do throws(Unencodable) {
                try element(&self, index)
            } catch {
                throw error.inside(index: index)
            }
        }
        buffer.append("]")
    }

    /// Writes a finite number, without a fraction if it is whole.
    private mutating func write(
        float: some BinaryFloatingPoint & CustomStringConvertible
    ) throws(Unencodable) {
        guard float.isFinite else { throw Unencodable(float) }
        let text = float.description
        buffer.append(json: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// Writes a number with all its digits.
    package mutating func write(decimal: Decimal) throws(Unencodable) {
        guard decimal.isFinite else { throw Unencodable(decimal) }
        buffer.append(json: decimal.description)
    }
}

extension JSONValueWriter {
    /// Writes a value of a less common type that isn't a class.
    private mutating func write(other value: Any, depth: Int) throws(Unencodable) {
        switch value {
        case let optional as any OptionalValue:
            guard let wrapped = optional.wrapped else { return buffer.append(json: "null") }
            try write(any: wrapped, depth: depth)
        case let value as any JSONWritable: try value.write(to: &self, depth: depth)
        case let integer as any FixedWidthInteger: buffer.append(json: String(integer))
        case let decimal as Decimal: try write(decimal: decimal)
        case let float as any BinaryFloatingPoint & CustomStringConvertible:
            try write(float: float)
        case let string as any StringProtocol: buffer.append(text: string)
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
    private mutating func write(instance value: Any, depth: Int) throws(Unencodable) {
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
        guard depth < JSONNesting.maximumDepth else { throw Unencodable(list) }
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
        buffer.append(json: try Self.encoder.encodeFinite(encodable))
    }

    /// Writes values as the rest of this writer does: ISO 8601 dates, base64 data and sorted keys.
    package static let encoder: JSONEncoder = {
        let encoder = JSONEncoder.sorted
        encoder.dateEncodingStrategy = .withFractionsIfAny
        return encoder
    }()
}

/// The JSON text of a value, written at once because the value may not be `Sendable`.
package struct WrittenJSON: JSONWritable, Sendable {
    private let text: Result<[UInt8], Unencodable>

    /// Writes a value.
    ///
    /// - Parameter value: Any value. A value without a JSON form is an error only when the text is used.
    package init(_ value: Any) {
        text = Result { () throws(Unencodable) in
            var writer = JSONValueWriter()
            // It is at least inside an object.
            try writer.write(any: value, depth: 1)
            return writer.buffer.bytes
        }
    }

    /// Appends the text.
    ///
    /// - Throws: The location of a value without a JSON form.
    package func write(to writer: inout JSONValueWriter, depth: Int) throws(Unencodable) {
        writer.buffer.append(json: try text.get())
    }
}

/// A dictionary of any type.
protocol KeyedMembers {
    /// Returns the members by the text of their keys.
    func members() throws(Unencodable) -> [String: Any]
}

extension Dictionary: KeyedMembers {
    func members() throws(Unencodable) -> [String: Any] {
        var members: [String: Any] = [:]
        members.reserveCapacity(count)
        for (key, value) in self {
            guard let name = memberName(of: key) else { throw Unencodable(self) }
            members[name] = value
        }
        return members
    }
}

/// Returns the text of a key, or nil if it can't be a JSON key.
private func memberName(of key: Any) -> String? {
    if type(of: key) == AnyHashable.self, let hashable = key as? AnyHashable {
        return memberName(of: hashable.base)
    }
    return switch key {
    case let string as String: string
    case let string as any StringProtocol: String(string)
    case let integer as any FixedWidthInteger: String(integer)
    case let uuid as UUID: uuid.uuidString
    case let key as any CodingKeyRepresentable: key.codingKey.stringValue
    case let key as any RawRepresentable: memberName(of: key.rawValue)
    default: nil
    }
}

/// An array, a set or a slice of any type.
protocol ElementList {
    /// Whether the elements have no meaningful order.
    var isUnordered: Bool { get }
    /// Returns the elements.
    func elements() -> [Any]
}

extension ElementList where Self: Sequence {
    var isUnordered: Bool { false }
    func elements() -> [Any] { map { $0 as Any } }
}

extension Array: ElementList {}
extension ArraySlice: ElementList {}
extension ContiguousArray: ElementList {}
extension Set: ElementList {
    var isUnordered: Bool { true }
}

/// A type-erased Optional.
package protocol OptionalValue {
    /// The nil value of the type.
    static var nilValue: Any { get }
    /// The wrapped type.
    static var wrappedType: Any.Type { get }
    /// The wrapped value, or nil.
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    package static var nilValue: Any { Self.none as Any }
    package static var wrappedType: Any.Type { Wrapped.self }
    package var wrapped: Any? { map { $0 as Any } }
}

/// A value or type without Optionals around it.
package enum Unwrapped {
    /// Returns a value without the Optionals around it, or nil if one of them is nil.
    package static func value(_ value: Any) -> Any? {
        guard let optional = value as? any OptionalValue else { return value }
        return optional.wrapped.flatMap { Self.value($0) }
    }

    /// Returns a type without the Optionals around it.
    package static func type(_ type: any Any.Type) -> any Any.Type {
        (type as? any OptionalValue.Type).map { Self.type($0.wrappedType) } ?? type
    }
}

/// A growing JSON text in UTF-8: punctuation, literals and escaped strings.
package struct JSONTextBuffer {
    /// The text so far.
    package private(set) var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(256)
    }

    /// Appends one ASCII punctuation character.
    mutating func append(_ character: Unicode.Scalar) {
        bytes.append(UInt8(truncatingIfNeeded: character.value))
    }

    /// Appends JSON text.
    package mutating func append(json text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends JSON text.
    mutating func append(json text: some Collection<UInt8>) {
        bytes.append(contentsOf: text)
    }

    /// Appends a quoted string, and escapes quotes, backslashes and control characters.
    package mutating func append(string: String) {
        append(text: string)
    }

    fileprivate mutating func append(text string: some StringProtocol) {
        append("\"")
        var needsEscapes = false
        for byte in string.utf8 where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            needsEscapes = true
            break
        }
        if needsEscapes {
            for byte in string.utf8 { append(escaping: byte) }
        } else {
            bytes.append(contentsOf: string.utf8)
        }
        append("\"")
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case 0x22: append(json: "\\\"")
        case 0x5C: append(json: "\\\\")
        case 0x08: append(json: "\\b")
        case 0x09: append(json: "\\t")
        case 0x0A: append(json: "\\n")
        case 0x0C: append(json: "\\f")
        case 0x0D: append(json: "\\r")
        case 0x00..<0x20: append(json: (byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
        default: bytes.append(byte)
        }
    }
}

extension JSONTextBuffer {
    /// The text for a form field: a string's content, nil for null, or JSON.
    fileprivate var fieldText: String? {
        guard bytes.first == 0x22 else {
            let text = String(decoding: bytes, as: UTF8.self)
            return text == "null" ? nil : text
        }
        let content = bytes.dropFirst().dropLast()
        guard content.contains(0x5C) else { return String(decoding: content, as: UTF8.self) }
        // This can't fail, because this buffer or JSONEncoder wrote the string.
        return try? JSONDecoder().decode(String.self, from: Data(bytes))
    }
}

/// A value without a JSON form, with its type and its key path.
///
/// The key path grows as the error propagates outward.
package struct Unencodable: Error {
    package let type: String
    /// The words of an error that the value's own encoding threw, or nil.
    package private(set) var words: String?
    private enum Step {
        case key(String)
        case index(Int)
    }

    private var reversedSteps: [Step] = []

    package init(_ value: Any, at codingPath: [any CodingKey] = []) {
        self.init(type: Swift.type(of: value), at: codingPath)
    }

    package init(_ value: Any, because error: any Error) {
        self.init(value)
        words = ErrorName.words(of: error)
    }

    package init(type: Any.Type, at codingPath: [any CodingKey]) {
        self.type = "\(type)"
        reversedSteps = codingPath.reversed()
            .map { key in
                if let index = key.intValue, key.stringValue != String(index) {
                    .index(index)
                } else {
                    .key(key.stringValue)
                }
            }
    }

    func inside(key: String) -> Unencodable {
        var copy = self
        copy.reversedSteps.append(.key(key))
        return copy
    }

    func inside(index: Int) -> Unencodable {
        var copy = self
        copy.reversedSteps.append(.index(index))
        return copy
    }

    /// Returns the key path as text: `user.tags[2]`.
    package func keyPath(below start: String) -> String {
        var text = start
        for step in reversedSteps.reversed() {
            switch step {
            case .key(let key): text += text.isEmpty ? key : "." + key
            case .index(let index): text += "[\(index)]"
            }
        }
        return text
    }
}
