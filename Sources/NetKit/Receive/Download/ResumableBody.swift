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
    mutating func receive(_ count: Int) { self.count += Int64(count) }

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

extension StrongValidator {
    /// Extracts the validator of a response.
    init?(of head: ResponseHead) {
        self.init(
            tag: head.headers[.eTag],
            modified: head.headers[.lastModified],
            date: head.headers[.date]
        )
    }

    /// Returns whether `head` states a different version.
    func contradicts(_ head: ResponseHead) -> Bool {
        contradicts(tag: head.headers[.eTag], modified: head.headers[.lastModified])
    }
}
