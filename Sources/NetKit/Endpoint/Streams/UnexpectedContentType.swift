/// A response whose Content-Type isn't one of those that the request accepts.
struct UnexpectedContentType: Error, Equatable, Sendable {
    /// The accepted types.
    let expected: [MimeType]
    /// The value of the field, nil without one.
    let found: String?
}

extension UnexpectedContentType: CustomStringConvertible {
    /// One line: `the Content-Type is text/html, not image/png`.
    var description: String {
        let wanted = expected.map(\.rawValue).joined(separator: " or ")
        return "the Content-Type is \(found ?? "missing"), not \(wanted)"
    }
}
