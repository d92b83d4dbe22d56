/// How the body of a response came, where somebody counted it.
package struct ReceivedBody: Equatable, Sendable {
    /// How many bytes came; an exchange may have only the first of them.
    package let count: Int
    /// What the entry says went wrong, where the exchange was given up before its end and nobody knows how much of
    /// the body was still to come; nil where it came to its end.
    package let cut: String?

    package init(count: Int, cut: String?) {
        self.count = count
        self.cut = cut
    }
}

extension HAR.Response {
    /// Says that an exchange was given up after so many bytes of its body, if that is not all of it.
    ///
    /// Of a body whose length was announced the entry is incomplete. Without a length nobody knows, and the
    /// response did not come to its end. Events are whole one by one: who reads them leaves at any time.
    mutating func markCut(after count: Int, of response: HTTPResponse, because reason: String) {
        let type = response.headers[.contentType].map { MimeType(rawValue: $0) }
        if type == "text/event-stream" {
            return comment("as far as it was read: the exchange was given up then")
        }
        guard let length = response.announcedLength else {
            error = reason
            return comment("the exchange was given up after \(count) bytes")
        }
        guard count < length else { return }
        content.isTruncated = true
        comment("the exchange was given up after \(count) of \(length) bytes")
    }

    /// Says that a body of so many bytes is not here.
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
    /// The length of the body, if it was announced and is not that of packed bytes.
    fileprivate var announcedLength: Int? {
        guard headers[.contentEncoding] == nil else { return nil }
        return headers[.contentLength].flatMap { Int($0) }
    }
}

extension HTTPStatus {
    /// Whether a response with this status may have a body (RFC 9110, section 6.4.1; 205: section 15.3.6).
    package var allowsBody: Bool {
        !isInformational && rawValue != 204 && rawValue != 205 && rawValue != 304
    }
}
