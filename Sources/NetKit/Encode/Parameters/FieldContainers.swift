/// A container for the members of an object.
struct MemberContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FieldEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) {
        encoder.member(key).tree.content = .none
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try encoder.member(key).encode(value)
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
