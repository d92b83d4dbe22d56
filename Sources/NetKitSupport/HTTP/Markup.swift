/// Pages of HTML and XML, as far as a message needs them.
package enum Markup {
    /// Returns whether a text begins with a tag, a comment, or a declaration.
    package static func begins(_ text: String) -> Bool {
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
        guard start.first == "<", let next = start.dropFirst().first else { return false }
        return next == "!" || next == "?" || next == "/" || next.properties.isAlphabetic
    }

    /// Returns the content of the first `title` element.
    package static func title(of page: String) -> String? {
        let bytes = Array(page.utf8.prefix(64 << 10))
        let folded = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard let name = folded.firstRange(of: Array("<title".utf8)),
            let start = bytes[name.upperBound...].firstIndex(of: UInt8(ascii: ">")),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "<"))
        else { return nil }
        // Skips other elements, such as `<titles>`.
        guard bytes[name.upperBound] == bytes[start] || bytes[name.upperBound].isJSONWhiteSpace
        else { return nil }
        var title = String(decoding: bytes[start + 1..<end], as: UTF8.self)
        for (entity, character) in entities { title = title.replacing(entity, with: character) }
        let line = BoundedLine.text(title)
        return line.isEmpty ? nil : line
    }

    /// The ampersand comes last, so that `&amp;lt;` becomes `&lt;`.
    private static let entities = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"),
        ("&nbsp;", " "), ("&amp;", "&"),
    ]
}
