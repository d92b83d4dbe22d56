import Foundation

/// A validator that identifies one version of a resource byte for byte.
///
/// It is stored in the form that `If-Range` takes.
package struct StrongValidator: Equatable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Parses a stored validator, or returns nil if the text isn't a valid one.
    package init?(noted text: String) {
        guard text.isFieldValue, text.hasPrefix("\"") || HTTPDate.parse(text) != nil else {
            return nil
        }
        rawValue = text
    }

    /// Extracts the validator of a response (RFC 9110, section 13.1.5).
    ///
    /// A weak entity tag doesn't count, and a date never replaces an entity tag. `Last-Modified` counts only if it is
    /// at least a second older than `Date`, since a resource may change twice in a second (section 8.8.2.2).
    package init?(tag: String?, modified: String?, date: String?) {
        if let tag {
            guard tag.hasPrefix("\"") else { return nil }
            rawValue = tag
            return
        }
        guard let modified, let modification = HTTPDate.parse(modified),
            let date = date.flatMap({ HTTPDate.parse($0) }),
            date.timeIntervalSince(modification) >= 1
        else { return nil }
        rawValue = modified
    }

    /// Returns whether a response states a different version.
    ///
    /// A 206 response may leave out the version.
    package func contradicts(tag: String?, modified: String?) -> Bool {
        let stated = rawValue.hasPrefix("\"") ? tag : modified
        return stated.map { $0 != rawValue } ?? false
    }
}
