package import Foundation

/// The format of values in fields.
package protocol FieldRules {
    /// Returns the text of a Boolean.
    func text(of flag: Bool) -> String
    /// Returns the value to write for a date: the date itself, or a number.
    func value(of date: Date) -> any Encodable
    /// Returns the name of an object's member.
    func name(of member: String, in object: String) -> String
    /// Returns the fields of an array.
    func fields(named name: String, _ texts: [String]) -> [(String, String)]
}

/// An encoder of values as query or form fields.
///
/// Encoding to JSON or dictionaries first would lose the order of the fields.
package struct FieldEncoder: Encoder {
    /// The strategies of a `JSONEncoder`, applied to fields.
    let style: FieldStyle
    let tree: FieldTree
    package let codingPath: [any CodingKey]

    package var userInfo: [CodingUserInfoKey: Any] { style.encoder.userInfo }

    package init(encoder: JSONEncoder, rules: any FieldRules) {
        self.init(style: FieldStyle(encoder: encoder, rules: rules))
    }

    init(style: FieldStyle, tree: FieldTree = FieldTree(), codingPath: [any CodingKey] = []) {
        self.style = style
        self.tree = tree
        self.codingPath = codingPath
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .none = tree.content { tree.content = .object([]) }
        return KeyedEncodingContainer(MemberContainer(encoder: self))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .none = tree.content { tree.content = .array([]) }
        return ElementContainer(encoder: self)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer {
        ScalarContainer(encoder: self)
    }

    /// Encodes a value at the encoder's position.
    package func encode(_ value: any Encodable) throws {
        if let content = try style.content(of: value, at: codingPath) {
            tree.content = content
        } else if let dictionary = value as? [String: any Encodable] {
            // Key strategies don't apply to a dictionary's keys. Sort them, because a dictionary has no order.
            tree.content = .object([])
            for (name, member) in dictionary.sortedByName {
                try at(FieldKey(name), tree.member(name)).encode(member)
            }
        } else if let custom = style.customDate(value) {
            try custom(self)
        } else {
            try value.encode(to: self)
        }
    }

    /// The fields of an object, in order, or nil for other values.
    package var fields: [(String, String)]? { tree.fields(style.rules) }

    /// Returns the encoder of a nested value.
    func at(_ key: any CodingKey, _ tree: FieldTree) -> FieldEncoder {
        FieldEncoder(style: style, tree: tree, codingPath: codingPath + [key])
    }

    /// Returns the encoder of a member, with its name converted by the key strategy.
    func member(_ key: any CodingKey) -> FieldEncoder {
        at(key, tree.member(style.name(of: key, at: codingPath)))
    }

    func nextElement() -> FieldEncoder {
        at(FieldKey(index: tree.elements.count), tree.nextElement())
    }
}

/// A coding key that is created at run time.
package struct FieldKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    package init?(stringValue: String) { self.init(stringValue) }
    package init?(intValue: Int) { self.init(index: intValue) }
}

/// A container for the members of an object.
struct MemberContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) {
        encoder.member(key).tree.content = .none
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        let member = encoder.member(key)
        member.tree.content = .none
        try member.encode(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.member(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.member(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.member(FieldKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key) }
}

/// A container for the elements of an array.
struct ElementContainer: UnkeyedEncodingContainer {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.tree.elements.count }

    func encodeNil() {
        _ = encoder.nextElement()
    }

    func encode(_ value: some Encodable) throws {
        try encoder.nextElement().encode(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.nextElement().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.nextElement().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.nextElement() }
}

/// A container for a single value.
struct ScalarContainer: SingleValueEncodingContainer {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() {
        encoder.tree.content = .none
    }

    func encode(_ value: some Encodable) throws {
        try encoder.encode(value)
    }
}

/// A tree of encoded values that keeps the encoding order.
final class FieldTree {
    enum Content {
        /// No value, which is omitted.
        case none
        case text(String)
        case flag(Bool)
        case array([FieldTree])
        case object([(name: String, value: FieldTree)])
    }

    var content: Content

    init(_ content: Content = .none) {
        self.content = content
    }

    /// Returns the node of a member.
    ///
    /// Encoding a member again replaces its value.
    func member(_ name: String) -> FieldTree {
        var members: [(name: String, value: FieldTree)] = []
        if case .object(let known) = content { members = known }
        if let known = members.first(where: { $0.name == name }) { return known.value }
        let value = FieldTree()
        // Release the array, so that appending doesn't copy it.
        content = .none
        members.append((name, value))
        content = .object(members)
        return value
    }

    /// Appends an element and returns its node.
    func nextElement() -> FieldTree {
        let element = FieldTree()
        var elements = elements
        content = .none
        elements.append(element)
        content = .array(elements)
        return element
    }

    var elements: [FieldTree] {
        if case .array(let elements) = content { elements } else { [] }
    }

    /// Returns an object's names and values, in order, or nil for other values.
    func fields(_ rules: any FieldRules) -> [(String, String)]? {
        guard case .object(let members) = content else { return nil }
        return members.flatMap { $0.value.fields(named: $0.name, rules) }
    }

    private func fields(named name: String, _ rules: any FieldRules) -> [(String, String)] {
        switch content {
        case .none: return []
        case .text(let text): return [(name, text)]
        case .flag(let flag): return [(name, rules.text(of: flag))]
        case .object(let members):
            return members.flatMap { member in
                member.value.fields(named: rules.name(of: member.name, in: name), rules)
            }
        case .array(let elements):
            let texts = elements.compactMap { $0.scalarText(rules) }
            if texts.count == elements.count(where: { !$0.isNone }) {
                return rules.fields(named: name, texts)
            }
            return elements.enumerated()
                .flatMap { index, element in
                    element.fields(named: "\(name)[\(index)]", rules)
                }
        }
    }

    private var isNone: Bool {
        if case .none = content { true } else { false }
    }

    private func scalarText(_ rules: any FieldRules) -> String? {
        switch content {
        case .text(let text): text
        case .flag(let flag): rules.text(of: flag)
        case .none, .array, .object: nil
        }
    }
}

/// The strategies of a `JSONEncoder`, applied to fields.
struct FieldStyle {
    let encoder: JSONEncoder
    let rules: any FieldRules

    /// Returns the content of a scalar, or nil for a value that encodes itself.
    ///
    /// - Throws: `EncodingError` for a number that isn't finite or a date out of range.
    func content(of value: any Encodable, at path: [any CodingKey]) throws -> FieldTree.Content? {
        switch value {
        case let text as String: return .text(text)
        case let flag as Bool: return .flag(flag)
        case let date as Date: return try content(of: date, at: path)
        case let data as Data: return try content(of: data, at: path)
        case let number as any BinaryFloatingPoint & Encodable where !Double(number).isFinite:
            return .text(try text(notFinite: Double(number), at: path))
        case is any BinaryInteger, is any BinaryFloatingPoint, is Decimal, is URL, is UUID:
            return .text(try text(of: value, at: path))
        default: return nil
        }
    }

    /// Returns a member's name, converted by the encoder's key strategy.
    func name(of key: any CodingKey, at path: [any CodingKey]) -> String {
        switch encoder.keyEncodingStrategy {
        case .useDefaultKeys: return key.stringValue
        case .custom(let convert): return convert(path + [key]).stringValue
        default:
            // Foundation converts keys only while encoding.
            guard let data = try? encoder.encode(SingleMember(key: FieldKey(key.stringValue))),
                let object = try? JSONDecoder().decode([String: Int].self, from: data),
                let name = object.keys.first
            else { return key.stringValue }
            return name
        }
    }

    /// Returns the encoder's custom date strategy, if it has one.
    func customDate(_ value: any Encodable) -> ((FieldEncoder) throws -> Void)? {
        guard let date = value as? Date, case .custom(let encode) = encoder.dateEncodingStrategy
        else { return nil }
        return { try encode(date, $0) }
    }

    private func content(of date: Date, at path: [any CodingKey]) throws -> FieldTree.Content? {
        switch encoder.dateEncodingStrategy {
        case .deferredToDate:
            return .text(try text(of: rules.value(of: date), at: path))
        case .secondsSince1970: return .text(try text(of: date.timeIntervalSince1970, at: path))
        case .millisecondsSince1970:
            return .text(try text(of: date.timeIntervalSince1970 * 1000, at: path))
        case .custom: return nil
        case .iso8601: return .text(try text(of: date, at: path))
        #if canImport(Darwin)
        case .formatted(let formatter): return .text(formatter.string(from: date))
        @unknown default: return .text(try text(of: date, at: path))
        #endif
        }
    }

    private func content(of data: Data, at path: [any CodingKey]) throws -> FieldTree.Content? {
        switch encoder.dataEncodingStrategy {
        case .deferredToData:
            return .array(data.map { FieldTree(.text(String($0))) })
        case .custom(let encode):
            let inner = FieldEncoder(style: self, codingPath: path)
            try encode(data, inner)
            return inner.tree.content
        default: return .text(data.base64EncodedString())
        }
    }

    private func text(notFinite number: Double, at path: [any CodingKey]) throws -> String {
        guard
            case .convertToString(let positive, let negative, let notANumber) =
                encoder.nonConformingFloatEncodingStrategy
        else { throw Self.error(number, at: path) }
        return number.isNaN ? notANumber : number > 0 ? positive : negative
    }

    private func text(of value: any Encodable, at path: [any CodingKey]) throws -> String {
        guard let text = try? JSONValueWriter.fieldText(of: value) else {
            throw Self.error(value, at: path)
        }
        return text
    }

    private static func error(_ value: Any, at path: [any CodingKey]) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: "it has no text form"))
    }
}

/// An object with one member, for converting its key.
private struct SingleMember: Encodable {
    let key: FieldKey

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FieldKey.self)
        try container.encode(0, forKey: key)
    }
}
