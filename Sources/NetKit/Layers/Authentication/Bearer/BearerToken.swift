public import Foundation

/// A bearer token (RFC 6750), and when it ends.
public struct BearerToken: Hashable, Sendable {
    /// The token.
    public let value: String
    /// When it ends; nil if that is not known.
    public let expiry: Date?

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - value: The token.
    ///   - expiry: When it ends. Defaults to nil, not known.
    public init(_ value: String, expiry: Date? = nil) {
        self.value = value
        self.expiry = expiry
    }
}

extension BearerToken: CustomStringConvertible, CustomReflectable {
    /// When it ends, and nothing of the token.
    public var description: String {
        "bearer token" + (expiry.map { " until \($0)" } ?? "")
    }

    /// Shows what ``description`` shows.
    public var customMirror: Mirror { Mirror(self, children: ["token": description]) }
}
