/// Tracks the received part of a body and builds the range request for the rest.
struct ResumableBody: Equatable, Sendable {
    /// The number of bytes received.
    private(set) var count: Int64 = 0
    private let version: StrongValidator
    /// The complete length in bytes, or nil if the server doesn't state it.
    private let total: Int64?

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

    /// Returns whether `head` belongs to the rest of this body.
    func isContinued(by head: ResponseHead) -> Bool {
        guard head.status == 206, head.headers[.contentEncoding] == nil,
            let range = head.headers[.contentRange].flatMap({ ContentRange($0) }),
            range.first == count, range.total == nil || total == nil || range.total == total
        else { return false }
        return !version.contradicts(head)
    }
}
