extension Redactor {
    /// Redacts the value of a header field.
    ///
    /// The caller handles fields marked sensitive.
    func header(_ value: String, of name: HTTPHeaderName) -> String {
        if name.soundsSecret || redaction.headers.contains(name) { return Redaction.mark }
        let bytes = Array(value.utf8)
        return switch name {
        case .location, .contentLocation, .referer: url(bytes[...])
        case .link: String(decoding: links(bytes), as: UTF8.self)
        default:
            if RedactedURL.isURL(bytes[...]) {
                url(bytes[...])
            } else {
                text(bytes[...]).map { String(decoding: $0, as: UTF8.self) } ?? Redaction.mark
            }
        }
    }

    private func url(_ bytes: ArraySlice<UInt8>) -> String {
        String(
            decoding: RedactedURL.bytes(bytes, by: self, keepingFragment: false),
            as: UTF8.self
        )
    }

    /// Redacts links, whose URLs are in angle brackets (RFC 8288).
    private func links(_ bytes: [UInt8]) -> [UInt8] {
        var edits = Edits(bytes[...])
        var start = bytes.startIndex
        while let opening = bytes[start...].firstIndex(of: UInt8(ascii: "<")) {
            let end = bytes[opening...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
            let url = bytes[(opening + 1)..<end]
            let shown = RedactedURL.bytes(url, by: self)
            if !shown.elementsEqual(url) { edits.replace(url.indices, with: shown) }
            start = end
        }
        return edits.edited
    }
}
