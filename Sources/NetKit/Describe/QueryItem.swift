import Foundation

/// One item of a query, where names and values alone do not say it.
public struct QueryItem: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case pair(name: String, value: String)
        case flag(String)
        case encoded(String)
    }

    package let content: Content

    /// An item `name=value`, both percent-encoded.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    public init(_ name: String, _ value: String) {
        content = .pair(name: name, value: value)
    }

    private init(_ content: Content) {
        self.content = content
    }

    /// An item without a value: `?name`, not `?name=`.
    ///
    /// - Parameter name: The name, which is percent-encoded.
    /// - Returns: The item.
    public static func flag(_ name: String) -> QueryItem {
        QueryItem(.flag(name))
    }

    /// An item that is percent-encoded already and sent as it is, such as a signed one.
    ///
    /// Only bytes that no query may have are encoded (RFC 3986, section 3.4), and `#`.
    ///
    /// - Parameters:
    ///   - name: The name, as it is sent.
    ///   - value: The value, as it is sent; nil for an item without one.
    /// - Returns: The item.
    public static func encoded(_ name: String, _ value: String?) -> QueryItem {
        QueryItem(.encoded(value.map { "\(name)=\($0)" } ?? name))
    }

    /// The name as it is compared with others.
    package var name: String {
        switch content {
        case .pair(let name, _), .flag(let name): name
        case .encoded(let text):
            text.prefix { $0 != "=" }.removingPercentEncoding ?? String(text.prefix { $0 != "=" })
        }
    }
}
