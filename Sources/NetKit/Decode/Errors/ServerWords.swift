import Foundation

/// Extracts a message for people from a response body, as one bounded line.
enum ServerWords {
    /// The number of bytes to search for a message.
    private static let reach = 64 << 10

    /// Returns the message in a response's body.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - readsAnyText: Whether a body that is neither JSON nor markup counts as text, whatever its Content-Type.
    /// - Returns: The message of JSON (see ``ServerMessage``), the title of HTML, or the first line of text. Nil if
    ///   there is none.
    static func line(in response: HTTPResponse, readsAnyText: Bool) -> String? {
        guard !response.hasNoContent else { return nil }
        // A body that isn't JSON counts as text.
        if let json = try? JSONText.value(of: response.body) {
            switch json {
            case .string, .array, .object: return ServerMessage.words(in: json).flatMap(line)
            case .null: return nil
            case .bool, .number: break
            }
        }
        let type = response.headers.contentType
        let isText = readsAnyText || type == nil || type?.type.lowercased() == "text"
        guard isText || type?.isMarkup == true else { return nil }
        let text = String(decoding: response.text.utf8.prefix(reach), as: UTF8.self)
        if type?.isMarkup == true || isMarkup(text) { return title(of: text) }
        // A body with a NUL isn't text.
        guard !text.utf8.contains(0) else { return nil }
        return text.split(whereSeparator: \.isNewline).lazy.map { BoundedLine.text($0) }
            .first { !$0.isEmpty }
    }

    /// Returns a message as one line.
    ///
    /// An HTML page becomes its title.
    ///
    /// - Parameter message: The message of a server error.
    /// - Returns: The line, or nil if it is empty.
    static func line(of message: String) -> String? {
        let line = isMarkup(message) ? title(of: message) : BoundedLine.text(message)
        return line?.isEmpty == true ? nil : line
    }

    /// Returns the format and the title of a page, if a response's body is one.
    ///
    /// `isDeclared` is whether its Content-Type says so too.
    static func page(
        in response: HTTPResponse
    ) -> (format: String, title: String?, isDeclared: Bool)? {
        let type = response.headers.contentType
        let isDeclared = type?.isMarkup == true
        let isText = type.map { $0.type == "text" || $0.subtype.contains("json") } ?? true
        guard isDeclared || isText else { return nil }
        let text = String(decoding: response.text.utf8.prefix(reach), as: UTF8.self)
        guard isDeclared || isMarkup(text) else { return nil }
        let isXML = text.drop { $0.isWhitespace }.hasPrefix("<?xml")
        return (isXML ? "XML" : "HTML", title(of: text), isDeclared)
    }

    /// Returns whether a text begins with a tag, a comment, or a declaration.
    private static func isMarkup(_ text: String) -> Bool {
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
        guard start.first == "<", let next = start.dropFirst().first else { return false }
        return next == "!" || next == "?" || next == "/" || next.properties.isAlphabetic
    }

    /// Returns the content of the first `title` element.
    private static func title(of page: String) -> String? {
        let bytes = Array(page.utf8.prefix(reach))
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

extension MimeType {
    /// Whether the type is that of an HTML page.
    fileprivate var isMarkup: Bool {
        let name = "\(type)/\(subtype)".lowercased()
        return name == "text/html" || name == "application/xhtml+xml"
    }
}
