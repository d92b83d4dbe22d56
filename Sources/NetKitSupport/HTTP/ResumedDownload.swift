import Foundation

/// A reason why a download starts over instead of resuming its partial file.
package enum DownloadRestart: Hashable, Sendable {
    /// The version of the partial file is unknown.
    ///
    /// The server sent no strong `ETag` or date, or compressed the body.
    case unknownVersion
    /// The server ignored `Range` and sent the whole body.
    case rangeIgnored
    /// The server has another version than the partial file.
    case versionChanged
    /// The server sent a range other than the requested one, or a compressed one.
    case rangeMismatch
    /// The server sent a range without the file's length, so that one that ends early would seem to be the whole rest.
    case unknownLength
    /// The server has no such range (416).
    ///
    /// Its copy is no longer than the partial file.
    case rangeNotSatisfiable
    /// The partial file was removed or changed while the request was in flight.
    case partChanged
}

extension DownloadRestart: CustomStringConvertible {
    /// A one-line lowercase description.
    package var description: String {
        switch self {
        case .unknownVersion: "the version of the partial file is unknown"
        case .rangeIgnored: "the server ignored Range"
        case .versionChanged: "the server has another version"
        case .rangeMismatch: "the server sent another range"
        case .unknownLength: "the server sent a range without the file's length"
        case .rangeNotSatisfiable: "the server has no such range"
        case .partChanged: "the partial file was removed or changed"
        }
    }
}

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

/// A `Content-Range` value in bytes (RFC 9110, section 14.4), such as `bytes 5-9/10`.
package struct ContentRange: Equatable, Sendable {
    package let first: Int64
    package let last: Int64
    /// The complete length in bytes, or nil if the server doesn't state it.
    package let total: Int64?

    /// Parses a field value.
    ///
    /// Returns nil for an unsatisfied range, a unit other than bytes, or inconsistent numbers.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = bounds[0].asciiNumber(as: Int64.self),
            let last = bounds[1].asciiNumber(as: Int64.self), first <= last
        else { return nil }
        self.first = first
        self.last = last
        guard parts[1] != "*" else {
            total = nil
            return
        }
        guard let total = parts[1].asciiNumber(as: Int64.self), last < total else { return nil }
        self.total = total
    }
}
