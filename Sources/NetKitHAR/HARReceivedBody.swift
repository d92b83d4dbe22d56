import NetKit

/// A record of how a response's body arrived.
package struct ReceivedBody: Equatable, Sendable {
    /// The number of bytes received.
    ///
    /// The exchange may hold only the first of them.
    package let count: Int
    /// The reason to report for an exchange that was stopped before its end.
    ///
    /// Otherwise nil.
    package let cut: String?

    package init(count: Int, cut: String?) {
        self.count = count
        self.cut = cut
    }
}

extension HAR.Response {
    /// Marks an exchange that was stopped after `count` bytes of its body.
    ///
    /// If the announced length is larger, the entry is marked as truncated. Without an announced length, it gets the
    /// reason as its error. An event stream gets only a comment, because events are complete one by one and a reader
    /// may stop at any time.
    mutating func markCut(after count: Int, of response: HTTPResponse, because reason: String) {
        let type = response.headers[.contentType].map { MimeType(rawValue: $0) }
        if type == "text/event-stream" {
            return comment("incomplete: the exchange stopped here")
        }
        guard let length = response.announcedLength else {
            error = reason
            return comment("the exchange stopped after \(count) bytes")
        }
        guard count < length else { return }
        content.isTruncated = true
        comment("the exchange stopped after \(count) of \(length) bytes")
    }

    /// Notes that a body of this length isn't included.
    mutating func markMissing(_ length: Int) {
        content.size = length
        guard length > 0 else { return }
        content.isTruncated = true
        comment("the body was left out: it went to a file or was read as it came")
    }

    private mutating func comment(_ text: String) {
        content.comment = content.comment.map { "\($0); \(text)" } ?? text
    }
}

extension HTTPResponse {
    /// The announced length of an uncompressed body, if any.
    fileprivate var announcedLength: Int? {
        guard headers[.contentEncoding] == nil else { return nil }
        return headers[.contentLength].flatMap { Int($0) }
    }
}

extension HTTPStatus {
    /// Whether a response with this status code may have a body.
    ///
    /// See RFC 9110, sections 6.4.1 and, for 205, 15.3.6.
    package var allowsBody: Bool {
        !isInformational && rawValue != 204 && rawValue != 205 && rawValue != 304
    }
}
