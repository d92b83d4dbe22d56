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

    let arrays: Arrays
    let booleans: Booleans

    /// Makes an encoding.
    ///
    /// - Parameters:
    ///   - arrays: How an array is written. Defaults to brackets.
    ///   - booleans: How a Boolean is written. Defaults to literals.
    public init(arrays: Arrays = .brackets, booleans: Booleans = .literal) {
        self.arrays = arrays
        self.booleans = booleans
    }
}

/// Where an ``Object`` goes, and how it is written.
public enum ParameterEncoding: Hashable, Sendable {
    /// The body, as `application/json`.
    case json
    /// The body, as `application/x-www-form-urlencoded`; text parts in a multipart request.
    case form(URLEncoding = URLEncoding())
    /// The query.
    case query(URLEncoding = URLEncoding())
}
