import Foundation

/// Decodes a value again to see which of its parts cannot be decoded.
///
/// Of a number that does not fit its type JSONDecoder says neither the coding path nor the type, on
/// Linux at least; of a raw value without a case, not the type.
final class DecodingTrace: Sendable {
    /// A part of a value that could not be decoded.
    struct Step: Sendable {
        let path: [any CodingKey]
        let type: String
    }

    @TaskLocal private static var current: DecodingTrace?

    private let failure = Locked<Step?>(nil)

    /// The innermost part that fails, nil if it is the whole or if nothing fails this time.
    static func failure(
        decoding type: any Decodable.Type,
        from body: Data,
        using decoder: JSONDecoder
    ) -> Step? {
        let trace = DecodingTrace()
        return $current.withValue(trace) {
            // Why it fails is known already; where is what is looked for.
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

    /// Decodes a part, and remembers it if it fails and no part of its own did.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")  // there are 45 types of parts
    func decode<Value: Decodable>(
        _ type: Value.Type,
        at path: @autoclosure () -> [any CodingKey],
        _ decode: () throws -> Value
    ) throws -> Value {
        do {
            let value = try decode()
            // An attempt that failed before, if any, did no harm.
            failure.withLock { $0 = nil }
            return value
        } catch {
            let step = Step(path: path(), type: "\(type)")
            failure.withLock { $0 = $0 ?? step }
            throw error
        }
    }

    /// A value that is decoded under the eyes of the current trace.
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

    /// Whether JSONDecoder has rules of its own for a type, which `init(from:)` would not follow; and for one that
    /// finds out what it is by failing, each failure of which would be noted.
    static func isLeaf(_ type: any Decodable.Type) -> Bool {
        type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
            || type == JSONValue.self
    }
}

/// A decoder whose containers report what they fail to decode.
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
