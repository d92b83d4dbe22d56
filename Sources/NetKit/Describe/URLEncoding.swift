import Foundation

/// The format of values in a query or a form.
public struct URLEncoding: Hashable, Sendable {
    /// The format of an array.
    public enum Arrays: Hashable, Sendable {
        /// `key[]=1&key[]=2`
        case brackets
        /// `key=1&key=2`
        case repeated
        /// `key[0]=1&key[1]=2`
        case indexed
        /// `key=1,2`
        case comma
    }

    /// The format of a Boolean.
    public enum Booleans: Hashable, Sendable {
        /// `true` and `false`
        case literal
        /// `1` and `0`
        case numeric
    }

    /// The format of a date.
    public enum Dates: Hashable, Sendable {
        /// `2024-02-29T12:30:00Z`, with milliseconds if the date has any
        case iso8601
        /// `1709209800`, with a fraction if the date has one
        case secondsSince1970
        /// `1709209800000`
        case millisecondsSince1970
    }

    /// The format of a name inside an object.
    public enum Nesting: Hashable, Sendable {
        /// `a[b][c]=1`
        case brackets
        /// `a.b.c=1`
        case dots
    }

    let arrays: Arrays
    let booleans: Booleans
    let dates: Dates
    let nesting: Nesting
    /// Whether it was made for the query, whatever the method.
    package var isForQuery = false

    /// Creates an encoding.
    ///
    /// - Parameters:
    ///   - arrays: The format of an array. Defaults to brackets.
    ///   - booleans: The format of a Boolean. Defaults to literals.
    ///   - dates: The format of a date, unless an ``Object``'s encoder specifies one. Defaults to ISO 8601.
    ///   - nesting: The format of a name inside an object. Defaults to brackets.
    public init(
        arrays: Arrays = .brackets,
        booleans: Booleans = .literal,
        dates: Dates = .iso8601,
        nesting: Nesting = .brackets
    ) {
        self.arrays = arrays
        self.booleans = booleans
        self.dates = dates
        self.nesting = nesting
    }
}

/// The destination and format of an ``Object``.
public enum ParameterEncoding: Hashable, Sendable {
    /// The body, as `application/json`. In a multipart request, one text part for each member.
    case json
    /// The body, as `application/x-www-form-urlencoded`. In a multipart request, text parts.
    case form(URLEncoding = URLEncoding())
    /// The query.
    case query(URLEncoding = URLEncoding())
}

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
