import Foundation

/// What tells one version of a resource from every other, byte for byte, as it goes into `If-Range`.
struct StrongValidator: Equatable, Sendable {
    let rawValue: String

    init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The validator that somebody wrote down; nil for text that is none, or that no field may have as its value.
    init?(noted text: String) {
        guard text.isFieldValue, text.hasPrefix("\"") || HTTPDate.parse(text) != nil else {
            return nil
        }
        rawValue = text
    }

    /// The validator of a response (RFC 9110, section 13.1.5).
    ///
    /// A weak entity tag is none, and where there is a tag a date must not take its place. A date is
    /// one only if it is a second older than the response, since a resource may change twice in a
    /// second (section 8.8.2.2).
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

    /// Whether `head` says that its version is another one; a server may leave this out of a 206.
    func contradicts(_ head: ResponseHead) -> Bool {
        if rawValue.hasPrefix("\"") {
            return head.headers[.eTag].map { $0 != rawValue } ?? false
        }
        return head.headers[.lastModified].map { $0 != rawValue } ?? false
    }
}
