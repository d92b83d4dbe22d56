import Foundation

/// Encodes a value as fields of a query or a form.
///
/// An encoder of our own: by way of JSON and dictionaries the order would be lost.
struct FieldEncoder: Encoder {
    /// How the keys, dates and bytes of a `JSONEncoder` are written, applied to fields.
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

    /// Puts a value where this encoder stands.
    func encode(_ value: any Encodable) throws {
        if let content = try style.content(of: value, at: codingPath) {
            tree.content = content
        } else if let dictionary = value as? [String: any Encodable] {
            // Its keys are data, which no strategy changes, and it has no order but the sorted one.
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

    /// The encoder of something inside.
    func at(_ key: any CodingKey, _ tree: FieldTree) -> FieldEncoder {
        FieldEncoder(style: style, tree: tree, codingPath: codingPath + [key])
    }

    /// The encoder of a member, its name as the key strategy has it.
    func member(_ key: any CodingKey) -> FieldEncoder {
        at(key, tree.member(style.name(of: key, at: codingPath)))
    }

    func nextElement() -> FieldEncoder {
        at(FieldKey(index: tree.elements.count), tree.nextElement())
    }
}

/// A key that is known when the program runs.
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
