/// A part of a message that the other library's types can't represent.
public enum HTTPConversionFailure: Error, Hashable, Sendable {
    /// The method isn't a token (RFC 9110, section 5.6.2).
    case method(String)
    /// The status code is not between 0 and 999.
    case status(Int)
    /// The field's name or value is invalid (RFC 9110, section 5.5).
    ///
    /// The name isn't a token, or the value contains control characters or begins or ends with a blank.
    case headerField(name: String)
    /// The URL isn't an absolute http or https URL, or contains invalid characters.
    case url
}

extension HTTPConversionFailure: CustomStringConvertible {
    /// A one-line lowercase description without values.
    public var description: String {
        switch self {
        case .method(let method): "invalid method: \(method.debugDescription)"
        case .status(let code): "invalid status code: \(code)"
        case .headerField(let name): "invalid header field: \(name.debugDescription)"
        case .url: "not an http or https URL"
        }
    }
}
