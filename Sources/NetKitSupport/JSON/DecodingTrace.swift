package import Foundation

/// Decodes a value again to find the part that fails.
///
/// For a number that doesn't fit, JSONDecoder reports neither the coding path nor the type, at least on Linux. For a
/// raw value without a case, it doesn't report the type.
package final class DecodingTrace: @unchecked Sendable {
    // Proof: it is accessed only in ``failure(decoding:from:using:)``, and by the decoder that runs in it, on one thread.
    private var failure: Step?

    /// A part of a value that failed to decode.
    package struct Step: Sendable {
        package let path: [any CodingKey]
        package let type: any Any.Type

        package var name: String { "\(type)" }
    }

    @TaskLocal private static var current: DecodingTrace?

    /// Returns the innermost failing part.
    ///
    /// Returns nil if only the whole fails or nothing fails this time.
    package static func failure(
        decoding type: any Decodable.Type,
        from body: Data,
        using decoder: JSONDecoder
    ) -> Step? {
        let trace = DecodingTrace()
        return $current.withValue(trace) {
            // The reason is already known. Only the position is needed.
            try? decode(type, from: body, using: decoder)
            return trace.failure
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
            failure = nil
            return value
        } catch {
            if failure == nil { failure = Step(path: path(), type: type) }
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
        leaves.contains(ObjectIdentifier(type)) || type is any JSONWritable.Type
    }

    private static let leaves = Set(
        [
            Bool.self, String.self, Double.self, Float.self, Int.self, Int8.self, Int16.self,
            Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
            Date.self, Data.self, URL.self, Decimal.self,
        ]
        .map { (type: any Decodable.Type) in ObjectIdentifier(type) }
    )
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

    /// Returns the path of the next element.
    ///
    /// It is computed only on failure, because it is expensive.
    private static func path(_ base: any UnkeyedDecodingContainer) -> [any CodingKey] {
        base.codingPath + [ElementKey(base.currentIndex)]
    }
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
