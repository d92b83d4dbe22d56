/// The way a body is parsed for redaction, by its media type.
enum BodyKind: Hashable {
    case json
    case form
    /// A multipart body, with its boundary if it has one.
    case multipart([UInt8]?)
    case xml
    /// HTML, or XML that can begin with text.
    case html
    /// Text in any format.
    case text
    /// Bytes that may still be text.
    case binary

    /// Chooses the kind by `Content-Type`.
    ///
    /// Binary without one.
    init(_ type: String?) {
        guard let type else {
            self = .binary
            return
        }
        let mime = MimeType(rawValue: type)
        let subtype = mime.subtype
        switch (mime.type, subtype) {
        case ("multipart", _):
            self = .multipart(mime.parameters["boundary"].map { Array($0.utf8) })
        case (_, "x-www-form-urlencoded"): self = .form
        case _ where subtype.hasSuffix("json") || subtype.hasSuffix("json-seq"): self = .json
        case _ where subtype.hasSuffix("xml"): self = .xml
        case (_, "html"): self = .html
        case ("text", _): self = .text
        default: self = .binary
        }
    }

    /// Whether bytes look like text in some encoding, which contains no control characters.
    static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.contains { $0 < 0x20 && !$0.isBlank && $0 != 0x0C && $0 != 0x1B && $0 != 0x1E }
    }

    /// Whether a charset is ASCII-compatible, so that names can be found by their bytes.
    static func isKnownCharset(of type: String?) -> Bool {
        guard let charset = charset(of: type) else { return true }
        return ["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-", "latin", "windows-125", "koi8-"]
            .contains { charset.hasPrefix($0) }
    }

    /// Returns the charset of a `Content-Type`, in lowercase.
    static func charset(of type: String?) -> String? {
        type.flatMap { MimeType(rawValue: $0).parameters["charset"]?.lowercased() }
    }
}
