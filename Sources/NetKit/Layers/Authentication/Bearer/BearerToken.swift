public import Foundation

/// A bearer token (RFC 6750) with its expiration date.
public struct BearerToken: Hashable, Sendable {
    /// The expiration date, or nil if unknown.
    public let expires: Date?
    // Redacts itself when a token is printed.
    private let token: AuthToken

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - value: The token.
    ///   - expires: The expiration date. Defaults to nil for unknown.
    public init(_ value: String, expires: Date? = nil) {
        token = .bearer(value)
        self.expires = expires
    }

    /// The token.
    public var value: String {
        guard case .bearer(let value) = token else { return "" }
        return value
    }
}
