import Foundation

/// An encoder of values as query or form fields.
///
/// Encoding to JSON or dictionaries first would lose the order of the fields.
struct FieldEncoder: Encoder {
    /// The strategies of a `JSONEncoder`, applied to fields.
    let style: FieldStyle
    let tree: FieldTree
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { style.encoder.userInfo }

    init(style: FieldStyle, tree: FieldTree = FieldTree(), codingPath: [any CodingKey] = []) {
        self.style = style
        self.tree = tree
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .none = tree.content { tree.content = .object([]) }
        return KeyedEncodingContainer(MemberContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .none = tree.content { tree.content = .array([]) }
        return ElementContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ScalarContainer(encoder: self)
    }

    /// Encodes a value at the encoder's position.
    func encode(_ value: any Encodable) throws {
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
struct FieldKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(index: intValue) }
}
