import Foundation
import NetKitSupport

/// Tracks the received part of a body and builds the range request for the rest.
struct ResumableBody: Equatable, Sendable {
    /// The number of bytes received.
    private(set) var count: Int64 = 0
    private let version: StrongValidator
    /// The complete length in bytes, or nil if the server doesn't state it.
    private var total: Int64?

    /// Creates a tracker for a body, or returns nil if it can't be resumed.
    ///
    /// The server must accept byte ranges and give a strong validator. The body must not be compressed, because a range
    /// counts the bytes on the wire.
    init?(_ head: ResponseHead) {
        guard head.status == .ok, head.headers[.contentEncoding] == nil,
            head.headers[.acceptRanges]?.lowercased() == "bytes",
            let version = StrongValidator(of: head)
        else { return nil }
        self.version = version
        total = head.bodyLength
    }

    /// Whether the body is complete, as far as its length is known.
    var isWhole: Bool { total.map { $0 == count } ?? true }

    /// Counts received bytes.
    mutating func receive(_ count: Int) {
        self.count += Int64(count)
    }

    /// The header fields that request the rest (RFC 9110, sections 13.1.5 and 14.2).
    var fields: [(HTTPHeaderName, String)] {
        [(.range, "bytes=\(count)-"), (.ifRange, version.rawValue)]
    }

    /// Continues with the rest of this body, whose length is known from then on.
    ///
    /// If no response states the length, a rest that ends early would seem to be whole.
    ///
    /// - Parameter head: The head of the next response.
    /// - Returns: Whether the response has the rest.
    mutating func resume(with head: ResponseHead) -> Bool {
        guard head.status == 206, head.headers[.contentEncoding] == nil,
            let range = head.headers[.contentRange].flatMap({ ContentRange($0) }),
            range.first == count, let length = range.total ?? total, length == total ?? length,
            !version.contradicts(head)
        else { return false }
        total = length
        return true
    }
}

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
