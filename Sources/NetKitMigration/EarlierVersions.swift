public import NetKit

// Names of NetKit 0.1 that NetKit doesn't have any more.

extension HTTPHeaders {
    /// Removes all fields of a name.
    ///
    /// - Parameter name: The field's name, in any case.
    @available(*, deprecated, message: "set the field to nil: headers[name] = nil")
    public mutating func remove(_ name: HTTPHeaderName) { self[name] = nil }
}

@available(*, deprecated, message: "write the media type as a literal")
extension MimeType {
    /// `application/x-www-form-urlencoded`.
    public static let form: MimeType = "application/x-www-form-urlencoded"
}

@available(*, deprecated, message: "write the media type as a literal")
extension MimeType.Application {
    /// `application/problem+json`.
    public static let problemJSON = Self(rawValue: "problem+json")
}

extension SilentLogger {
    /// Creates a logger that discards all messages.
    @available(*, deprecated, message: "use NetworkLogger.silent")
    public init() { self = .silent }
}
