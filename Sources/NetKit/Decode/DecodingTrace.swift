import Foundation

/// Decodes a value again to find the part that fails.
///
/// For a number that doesn't fit, JSONDecoder reports neither the coding path nor the type, at least on Linux. For a
/// raw value without a case, it doesn't report the type.
final class DecodingTrace: Sendable {
    /// A part of a value that failed to decode.
    struct Step: Sendable {
        let path: [any CodingKey]
        let type: any Any.Type

        var name: String { "\(type)" }
    }

    @TaskLocal private static var current: DecodingTrace?

    private let failure = Locked<Step?>(nil)

    /// Returns the innermost failing part.
    ///
    /// Returns nil if only the whole fails or nothing fails this time.
    static func failure(
        decoding type: any Decodable.Type,
        from body: Data,
        using decoder: JSONDecoder
    ) -> Step? {
        let trace = DecodingTrace()
        return $current.withValue(trace) {
            // The reason is already known. Only the position is needed.
            try? decode(type, from: body, using: decoder)
            return trace.failure.withLock { $0 }
        }
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: Data,
        using decoder: JSONDecoder
    ) throws {
        _ = try decoder.decode(Traced<Value>.self, from: body)
    }

    /// Decodes a part, and records the innermost failure.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")  // avoids 45 specializations
    func decode<Value: Decodable>(
        _ type: Value.Type,
        at path: @autoclosure () -> [any CodingKey],
        _ decode: () throws -> Value
    ) throws -> Value {
        do {
            let value = try decode()
            // An earlier failure inside didn't matter.
            failure.withLock { $0 = nil }
            return value
        } catch {
            let step = Step(path: path(), type: type)
            failure.withLock { $0 = $0 ?? step }
            throw error
        }
    }

    /// A value that the current trace observes while it is decoded.
    struct Traced<Value: Decodable>: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            guard let trace = DecodingTrace.current else {
                value = try Value(from: decoder)
                return
            }
            value = try Value(from: TracedDecoder(base: decoder, trace: trace))
        }
    }

    /// Returns whether to decode a type without tracing its parts.
    ///
    /// JSONDecoder has its own rules for some types, which `init(from:)` wouldn't follow. `JSONValue` tries types until
    /// one fits, and each failure would be recorded.
    static func isLeaf(_ type: any Decodable.Type) -> Bool {
        type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
            || type == JSONValue.self
    }
}

/// A decoder whose containers record failures.
struct TracedDecoder: Decoder {
    let base: any Decoder
    let trace: DecodingTrace

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try base.container(keyedBy: type)
        return KeyedDecodingContainer(TracedKeyedContainer(base: container, trace: trace))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        TracedUnkeyedContainer(base: try base.unkeyedContainer(), trace: trace)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        TracedValueContainer(base: try base.singleValueContainer(), trace: trace)
    }
}

/// A keyed container that records failures.
struct TracedKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedDecodingContainer<Key>
    let trace: DecodingTrace

    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] { base.allKeys }
    func contains(_ key: Key) -> Bool { base.contains(key) }
    func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try trace.decode(type, at: codingPath + [key]) {
            try DecodingTrace.isLeaf(type)
                ? base.decode(type, forKey: key)
                : base.decode(DecodingTrace.Traced<T>.self, forKey: key).value
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try base.nestedContainer(keyedBy: type, forKey: key)
        return KeyedDecodingContainer(
            TracedKeyedContainer<NestedKey>(base: container, trace: trace)
        )
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        TracedUnkeyedContainer(base: try base.nestedUnkeyedContainer(forKey: key), trace: trace)
    }

    func superDecoder() throws -> any Decoder {
        TracedDecoder(base: try base.superDecoder(), trace: trace)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        TracedDecoder(base: try base.superDecoder(forKey: key), trace: trace)
    }

    private func leaf<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
        try trace.decode(type, at: codingPath + [key]) { try base.decode(type, forKey: key) }
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try leaf(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try leaf(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try leaf(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try leaf(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try leaf(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try leaf(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try leaf(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try leaf(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try leaf(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try leaf(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try leaf(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try leaf(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try leaf(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try leaf(type, key) }
}

/// An unkeyed container that records failures.
struct TracedUnkeyedContainer: UnkeyedDecodingContainer {
    var base: any UnkeyedDecodingContainer
    let trace: DecodingTrace

    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }
    mutating func decodeNil() throws -> Bool { try base.decodeNil() }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let before = base
        return try trace.decode(type, at: Self.path(before)) {
            try DecodingTrace.isLeaf(type)
                ? base.decode(type) : base.decode(DecodingTrace.Traced<T>.self).value
        }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try base.nestedContainer(keyedBy: type)
        return KeyedDecodingContainer(
            TracedKeyedContainer<NestedKey>(base: container, trace: trace)
        )
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        TracedUnkeyedContainer(base: try base.nestedUnkeyedContainer(), trace: trace)
    }

    mutating func superDecoder() throws -> any Decoder {
        TracedDecoder(base: try base.superDecoder(), trace: trace)
    }

    private mutating func leaf<T: Decodable>(_ type: T.Type) throws -> T {
        let before = base
        return try trace.decode(type, at: Self.path(before)) { try base.decode(type) }
    }

    /// Returns the path of the next element.
    ///
    /// It is computed only on failure, because it is expensive.
    private static func path(_ base: any UnkeyedDecodingContainer) -> [any CodingKey] {
        base.codingPath + [ElementKey(base.currentIndex)]
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try leaf(type) }
    mutating func decode(_ type: String.Type) throws -> String { try leaf(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try leaf(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try leaf(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try leaf(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try leaf(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try leaf(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try leaf(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try leaf(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try leaf(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try leaf(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try leaf(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try leaf(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try leaf(type) }
}

/// A single-value container that records failures.
struct TracedValueContainer: SingleValueDecodingContainer {
    let base: any SingleValueDecodingContainer
    let trace: DecodingTrace

    var codingPath: [any CodingKey] { base.codingPath }
    func decodeNil() -> Bool { base.decodeNil() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try trace.decode(type, at: codingPath) {
            try DecodingTrace.isLeaf(type)
                ? base.decode(type) : base.decode(DecodingTrace.Traced<T>.self).value
        }
    }

    private func leaf<T: Decodable>(_ type: T.Type) throws -> T {
        try trace.decode(type, at: codingPath) { try base.decode(type) }
    }

    func decode(_ type: Bool.Type) throws -> Bool { try leaf(type) }
    func decode(_ type: String.Type) throws -> String { try leaf(type) }
    func decode(_ type: Double.Type) throws -> Double { try leaf(type) }
    func decode(_ type: Float.Type) throws -> Float { try leaf(type) }
    func decode(_ type: Int.Type) throws -> Int { try leaf(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try leaf(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try leaf(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try leaf(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try leaf(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try leaf(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try leaf(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try leaf(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try leaf(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try leaf(type) }
}

/// The key of an array element, as JSONDecoder writes it.
private struct ElementKey: CodingKey {
    let index: Int

    init(_ index: Int) {
        self.index = index
    }

    init?(intValue: Int) {
        index = intValue
    }

    init?(stringValue: String) {
        nil
    }

    var intValue: Int? { index }
    var stringValue: String { "Index \(index)" }
}
