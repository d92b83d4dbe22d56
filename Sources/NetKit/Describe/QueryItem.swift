import Foundation

/// A query item: a name–value pair, a flag or a pre-encoded item.
public struct QueryItem: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case pair(name: String, value: String)
        case flag(String)
        case encoded(String)
    }

    package let content: Content

    /// Creates an item `name=value`, and percent-encodes both.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    public init(name: String, value: String) {
        content = .pair(name: name, value: value)
    }

    private init(_ content: Content) {
        self.content = content
    }

    /// Creates an item without a value: `?name`, not `?name=`.
    ///
    /// - Parameter name: The name, which is percent-encoded.
    /// - Returns: The item.
    public static func flag(_ name: String) -> QueryItem {
        QueryItem(.flag(name))
    }

    /// Creates an item that is already percent-encoded, such as part of a signed URL.
    ///
    /// The item is sent unchanged, except that bytes that are invalid in a query (RFC 3986, section 3.4) are encoded.
    /// These include `#`, and a `%` that doesn't begin a triplet.
    ///
    /// - Parameters:
    ///   - name: The percent-encoded name.
    ///   - value: The percent-encoded value, or nil for an item without a value.
    /// - Returns: The item.
    public static func encoded(name: String, value: String?) -> QueryItem {
        QueryItem(.encoded(value.map { "\(name)=\($0)" } ?? name))
    }

    /// The decoded name, for comparison with other names.
    package var name: String {
        switch content {
        case .pair(let name, _), .flag(let name): name
        case .encoded(let text):
            text.prefix { $0 != "=" }.removingPercentEncoding ?? String(text.prefix { $0 != "=" })
        }
    }
}
