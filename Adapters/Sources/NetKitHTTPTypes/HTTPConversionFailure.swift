/// A part of a message that the types of the other library can't hold as it is.
public enum HTTPConversionFailure: Error, Hashable, Sendable {
    /// The method is no token (RFC 9110, section 5.6.2).
    case method(String)
    /// The status code is not between 0 and 999.
    case status(Int)
    /// The name of the field is no token, or its value has control characters or blanks at its ends (RFC 9110, section
    /// 5.5).
    case headerField(name: String)
    /// The URL is no whole http or https URL, or has characters that no URL has.
    case url
}

extension HTTPConversionFailure: CustomStringConvertible {
    /// One lower-case line without values.
    public var description: String {
        switch self {
        case .method(let method): "no method: \(method.debugDescription)"
        case .status(let code): "no status code: \(code)"
        case .headerField(let name): "no header field: \(name.debugDescription)"
        case .url: "no http or https URL"
        }
    }
}
