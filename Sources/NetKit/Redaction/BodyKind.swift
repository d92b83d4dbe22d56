/// How a body of some media type is read to be redacted.
enum BodyKind: Hashable {
    case json
    case form
    /// With a boundary, if there is one.
    case multipart([UInt8]?)
    case xml
    /// XML that may begin with text.
    case html
    /// Text of any form.
    case text
    /// Bytes that may be text all the same.
    case binary

    /// The kind of a Content-Type; without one it may be anything.
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

    /// Whether bytes look like text in some encoding: they have no control characters, as other bytes soon do.
    static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.contains { $0 < 0x20 && !$0.isBlank && $0 != 0x0C && $0 != 0x1B && $0 != 0x1E }
    }

    /// Whether the charset of a Content-Type is one whose ASCII characters are bytes of their own; others hide names.
    static func isKnownCharset(of type: String?) -> Bool {
        guard let charset = charset(of: type) else { return true }
        return ["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-", "latin", "windows-125", "koi8-"]
            .contains { charset.hasPrefix($0) }
    }

    /// The charset that a Content-Type names, in lower case.
    static func charset(of type: String?) -> String? {
        type.flatMap { MimeType(rawValue: $0).parameters["charset"]?.lowercased() }
    }
}
