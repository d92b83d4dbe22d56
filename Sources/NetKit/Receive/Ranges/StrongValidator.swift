import Foundation

/// A validator that identifies one version of a resource byte for byte.
///
/// It is stored in the form that `If-Range` takes.
struct StrongValidator: Equatable, Sendable {
    let rawValue: String

    init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Parses a stored validator, or returns nil if the text isn't a valid one.
    init?(noted text: String) {
        guard text.isFieldValue, text.hasPrefix("\"") || HTTPDate.parse(text) != nil else {
            return nil
        }
        rawValue = text
    }

    /// Extracts the validator of a response (RFC 9110, section 13.1.5).
    ///
    /// A weak entity tag doesn't count, and a date never replaces an entity tag. `Last-Modified` counts only if it is
    /// at least a second older than `Date`, since a resource may change twice in a second (section 8.8.2.2).
    init?(of head: ResponseHead) {
        if let tag = head.headers[.eTag] {
            guard tag.hasPrefix("\"") else { return nil }
            rawValue = tag
            return
        }
        guard let text = head.headers[.lastModified], let modified = HTTPDate.parse(text),
            let date = head.headers[.date].flatMap({ HTTPDate.parse($0) }),
            date.timeIntervalSince(modified) >= 1
        else { return nil }
        rawValue = text
    }

    /// Returns whether `head` states a different version.
    ///
    /// A 206 response may leave out the version.
    func contradicts(_ head: ResponseHead) -> Bool {
        if rawValue.hasPrefix("\"") {
            return head.headers[.eTag].map { $0 != rawValue } ?? false
        }
        return head.headers[.lastModified].map { $0 != rawValue } ?? false
    }
}
