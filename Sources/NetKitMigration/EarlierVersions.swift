public import NetKit

// Names of NetKit 0.1 that NetKit doesn't have any more.

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
