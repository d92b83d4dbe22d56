/// How values become names and values of a query or a form.
public struct URLEncoding: Hashable, Sendable {
    /// How an array is written.
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

    /// How a Boolean is written.
    public enum Booleans: Hashable, Sendable {
        /// `true` and `false`
        case literal
        /// `1` and `0`
        case numeric
    }

    /// How a date is written.
    public enum Dates: Hashable, Sendable {
        /// `2024-02-29T12:30:00Z`, with milliseconds if there are any
        case iso8601
        /// `1709209800`, a fraction behind it if there is one
        case secondsSince1970
        /// `1709209800000`
        case millisecondsSince1970
    }

    /// How a name inside an object is written.
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

    /// Makes an encoding.
    ///
    /// - Parameters:
    ///   - arrays: How an array is written. Defaults to brackets.
    ///   - booleans: How a Boolean is written. Defaults to literals.
    ///   - dates: How a date is written, where an ``Object``'s encoder does not say it. Defaults to
    ///     ISO 8601.
    ///   - nesting: How a name inside an object is written. Defaults to brackets.
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

/// Where an ``Object`` goes, and how it is written.
public enum ParameterEncoding: Hashable, Sendable {
    /// The body, as `application/json`; in a multipart request a text part for each member.
    case json
    /// The body, as `application/x-www-form-urlencoded`; text parts in a multipart request.
    case form(URLEncoding = URLEncoding())
    /// The query.
    case query(URLEncoding = URLEncoding())
}
