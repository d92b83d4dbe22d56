extension Redactor {
    /// Redacts the value of a header field.
    ///
    /// The caller handles fields marked sensitive.
    func header(_ value: String, of name: HTTPHeaderName) -> String {
        guard redaction.shows(name) else { return Redaction.mark }
        let bytes = Array(value.utf8)
        let shown: [UInt8]? =
            switch name {
            case .location, .contentLocation, .referer: url(bytes[...])
            case .link: links(bytes)
            case .contentType, "Content-Disposition": parameters(bytes)
            default: RedactedURL.isURL(bytes[...]) ? url(bytes[...]) : text(bytes[...])
            }
        return shown.map { String(decoding: $0, as: UTF8.self) } ?? Redaction.mark
    }

    private func url(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        RedactedURL.bytes(bytes, by: self, keepingFragment: false)
    }

    /// Redacts links, whose URLs are in angle brackets (RFC 8288).
    ///
    /// Nil if there is a secret outside the URLs.
    private func links(_ bytes: [UInt8]) -> [UInt8]? {
        var edits = Edits(bytes[...])
        var others: [UInt8] = []
        var start = bytes.startIndex
        while let opening = bytes[start...].firstIndex(of: UInt8(ascii: "<")) {
            others += bytes[start..<opening] + [UInt8(ascii: " ")]
            let end = bytes[opening...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
            let url = bytes[(opening + 1)..<end]
            let shown = self.url(url)
            if !shown.elementsEqual(url) { edits.replace(url.indices, with: shown) }
            start = min(end + 1, bytes.endIndex)
        }
        others += bytes[start...]
        return text(others[...]) == others ? edits.edited : nil
    }

    /// Returns a value whose parameters contain no secret, or nil.
    ///
    /// A parameter can have a secret's name as its value: `form-data; name="password"`.
    private func parameters(_ bytes: [UInt8]) -> [UInt8]? {
        let isPlain = PartHead.parameters(of: bytes[...])
            .allSatisfy { parameter in
                let sign = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.startIndex
                let name = parameter[..<sign].filter { !$0.isBlank }
                let value = PartHead.unquoted(parameter[sign...].dropFirst(name.isEmpty ? 0 : 1))
                return !redaction.hides(queryName: name) && text(value[...]) == value
            }
        return isPlain ? bytes : nil
    }
}
