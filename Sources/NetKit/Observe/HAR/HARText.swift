import Foundation

/// The bytes of a body as a HAR file has them: text where they are that, base64 otherwise.
struct HARText {
    /// The text.
    let text: String
    /// How it is written: `base64`, or nil for text as it is.
    let encoding: String?
    /// Whether bytes at the end were left out.
    let isTruncated: Bool
    /// Says so in words, nil where nothing was left out.
    let comment: String?

    /// Writes bytes down, up to a limit.
    ///
    /// - Parameters:
    ///   - data: The bytes, without what is not shown.
    ///   - limit: How many of them are written at most.
    ///   - total: How many bytes there were, where these are only the first; nil, the default, where they are all.
    init(_ data: Data, limit: Int, of total: Int? = nil) {
        let isText = String(exactly: data) != nil
        var end = min(data.count, max(0, limit))
        isTruncated = end < data.count || total != nil
        // A text is cut between two of its characters' code points.
        while isText, isTruncated, end > 0, data.dropFirst(end).first.map({ $0 & 0xC0 }) == 0x80 {
            end -= 1
        }
        let kept = Data(data.prefix(end))
        text = isText ? String(decoding: kept, as: UTF8.self) : kept.base64EncodedString()
        encoding = isText ? nil : "base64"
        comment =
            isTruncated
            ? "the first \(end) of \(total ?? data.count) bytes; the others were left out" : nil
    }

    /// A body as a HAR file has it: without what is hidden, and up to a limit.
    ///
    /// - Parameters:
    ///   - body: The body, or the first part of it.
    ///   - type: Its Content-Type.
    ///   - redaction: What is hidden.
    ///   - limit: How many bytes are written at most.
    ///   - total: How many bytes there were, where these are only the first; nil where they are all.
    init(_ body: Data, type: String?, _ redaction: Redaction, limit: Int, of total: Int?) {
        let shown = RedactedBody(body, type: type, by: redaction, limit: max(0, limit))
        guard shown.obstacle != .unreadable else {
            let note = RedactedBody.note(type: type, length: total ?? body.count)
            self.init(comment: "\(note): it cannot be read, so that nobody knows what is secret")
            return
        }
        self.init(shown.data, limit: limit, of: total ?? (shown.isCut ? body.count : nil))
    }

    /// Says why there is nothing.
    private init(comment: String) {
        (text, encoding, isTruncated) = ("", nil, true)
        self.comment = comment
    }

    /// The bytes of a text that was cut, without the beginning of a character at its end; other bytes as they are.
    static func withoutBrokenEnd(_ data: Data) -> Data {
        // A character has four bytes at most.
        for count in 0...3 {
            let rest = data.dropLast(count)
            if String(exactly: rest) != nil { return Data(rest) }
        }
        return data
    }

    /// The bytes of a text; nil if it is said to be base64 and is not.
    static func data(_ text: String, encoding: String?) -> Data? {
        guard encoding?.lowercased() == "base64" else { return Data(text.utf8) }
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
    }
}
