public import Foundation

/// A bearer token (RFC 6750), and when it ends.
public struct BearerToken: Hashable, Sendable {
    /// When it ends; nil if that is not known.
    public let expiry: Date?
    // Conceals itself where a token is printed.
    private let token: AuthToken

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - value: The token.
    ///   - expiry: When it ends. Defaults to nil, not known.
    public init(_ value: String, expiry: Date? = nil) {
        token = .bearer(value)
        self.expiry = expiry
    }

    /// The token.
    public var value: String {
        guard case .bearer(let value) = token else { return "" }
        return value
    }
}
