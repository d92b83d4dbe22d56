/// How much of a body has come, and how the rest of the same version is asked for.
struct ResumableBody: Equatable, Sendable {
    /// How many bytes have come.
    private(set) var count: Int64 = 0
    private let version: StrongValidator
    /// The length of the whole, nil where the server does not say.
    private let total: Int64?

    /// The body of a response; nil if the rest of it cannot be asked for.
    ///
    /// The server has to say that it serves ranges and which version this is, and must not have
    /// compressed it: a range counts the bytes that are sent.
    init?(_ head: ResponseHead) {
        guard head.status == .ok, head.headers[.contentEncoding] == nil,
            head.headers[.acceptRanges]?.lowercased() == "bytes",
            let version = StrongValidator(of: head)
        else { return nil }
        self.version = version
        total = head.bodyLength
    }

    /// Whether nothing is missing, as far as that is known.
    var isWhole: Bool { total.map { $0 == count } ?? true }

    /// Counts bytes that have come.
    mutating func receive(_ count: Int) {
        self.count += Int64(count)
    }

    /// The fields that ask for the rest (RFC 9110, sections 13.1.5 and 14.2).
    var fields: [(HTTPHeaderName, String)] {
        [(.range, "bytes=\(count)-"), (.ifRange, version.rawValue)]
    }

    /// Whether `head` is that of the rest.
    func isContinued(by head: ResponseHead) -> Bool {
        guard head.status == 206, head.headers[.contentEncoding] == nil,
            let range = head.headers[.contentRange].flatMap({ ContentRange($0) }),
            range.first == count, range.total == nil || total == nil || range.total == total
        else { return false }
        return !version.contradicts(head)
    }
}
