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
