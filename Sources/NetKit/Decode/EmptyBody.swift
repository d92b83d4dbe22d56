import Foundation

/// A response object for requests whose answer does not matter beyond its status.
///
/// Every 2xx response makes one, with whatever body or without. `Void` does the same where no
/// `Decodable` is asked for.
public struct Empty: Codable, Hashable, Sendable {
    /// Makes the one value.
    public init() {}

    /// Makes the value of anything that can be decoded.
    public init(from decoder: any Decoder) throws {}
}

/// A type that an empty body can be decoded to.
protocol EmptyBodyDecodable {
    /// What an empty body is.
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
    /// What an empty body is as a `Value`, nil if it is none.
    static func value<Value>(as type: Value.Type) -> Value? {
        func open<Known: EmptyBodyDecodable>(_ known: Known.Type) -> Value? {
            known.valueOfEmptyBody as? Value
        }
        guard let known = type as? any EmptyBodyDecodable.Type else { return nil }
        return open(known)
    }
}
