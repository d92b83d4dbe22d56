import Foundation

/// A response value for requests that need only the status code.
///
/// Every 2xx response and every JSON value decodes to it. If no `Decodable` type is needed, use `Void` instead.
public struct Empty: Codable, Hashable, Sendable {
    /// Creates the value.
    public init() {}
}

/// A type that an empty body can decode to.
protocol EmptyBodyDecodable {
    /// The value of an empty body.
    static var valueOfEmptyBody: Self { get }
}

extension Optional: EmptyBodyDecodable {
    static var valueOfEmptyBody: Wrapped? { nil }
}

extension Data: EmptyBodyDecodable {
    static var valueOfEmptyBody: Data { Data() }
}

extension String: EmptyBodyDecodable {
    static var valueOfEmptyBody: String { "" }
}

extension Empty: EmptyBodyDecodable {
    static var valueOfEmptyBody: Empty { Empty() }
}

enum EmptyBody {
    /// Returns the value of an empty body, or nil if the type has none.
    static func value<Value>(as type: Value.Type) -> Value? {
        func open<Known: EmptyBodyDecodable>(_ known: Known.Type) -> Value? {
            known.valueOfEmptyBody as? Value
        }
        guard let known = type as? any EmptyBodyDecodable.Type else { return nil }
        return open(known)
    }
}
