import Foundation
import NetKit

/// The bytes of a body in the HAR format: text if possible, or else base64.
struct HARText {
    /// The text.
    let text: String
    /// The encoding: `base64`, or nil for plain text.
    let encoding: String?
    /// Whether bytes at the end are omitted.
    let isTruncated: Bool
    /// A note on the omitted bytes, or nil if there are none.
    let comment: String?

    /// Encodes bytes, up to a limit.
    ///
    /// - Parameters:
    ///   - data: The redacted bytes.
    ///   - limit: The maximum number of bytes to encode.
    ///   - total: The total number of bytes if `data` has only the first of them. Defaults to nil for all.
    init(_ data: Data, limit: Int, of total: Int? = nil) {
        let isText = String(exactly: data) != nil
        var end = min(data.count, max(0, limit))
        isTruncated = end < data.count || total != nil
        // Cuts text only between code points.
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

    /// Encodes a redacted body, up to a limit.
    ///
    /// - Parameters:
    ///   - body: The body or its beginning.
    ///   - type: The Content-Type of the body.
    ///   - redaction: The parts to redact.
    ///   - limit: The maximum number of bytes to encode.
    ///   - total: The total number of bytes if `body` has only the first of them, or nil for all.
    init(_ body: Data, type: String?, _ redaction: Redaction, limit: Int, of total: Int?) {
        let shown = RedactedBody(body, type: type, by: redaction, limit: max(0, limit))
        guard let data = shown.data else {
            let note = RedactedBody.note(type: type, length: total ?? body.count)
            self.init(comment: "\(note): not shown by the redaction")
            return
        }
        self.init(data, limit: limit, of: total ?? (shown.isCut ? body.count : nil))
    }

    /// Creates an empty text with the reason.
    private init(comment: String) {
        (text, encoding, isTruncated) = ("", nil, true)
        self.comment = comment
    }

    /// Returns the bytes of a text, or nil if its base64 is invalid.
    static func data(_ text: String, encoding: String?) -> Data? {
        guard encoding?.lowercased() == "base64" else { return Data(text.utf8) }
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
    }
}
