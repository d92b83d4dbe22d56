import Foundation

/// An error for a response whose `Content-Type` isn't one that the request accepts.
struct UnexpectedContentType: Error, Equatable, Sendable {
    /// The accepted media types.
    let expected: [MimeType]
    /// The value of the field, or nil if it is missing.
    let found: String?
}

extension UnexpectedContentType: CallError, CustomStringConvertible {
    /// A one-line description: `the Content-Type is text/html, not image/png`.
    var description: String {
        let wanted = expected.map(\.rawValue).joined(separator: " or ")
        return "the Content-Type is \(found ?? "missing"), not \(wanted)"
    }
}
