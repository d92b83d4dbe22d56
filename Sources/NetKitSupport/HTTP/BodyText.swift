package import Foundation

/// Text in the charset that a message declares.
package enum BodyText {
    /// Decodes a body and fails on invalid bytes.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - charset: The declared charset in lowercase, or nil.
    /// - Returns: The text without a byte order mark.
    /// - Throws: ``UnreadableText`` if the charset is unknown or the body isn't valid in it.
    package static func decoded(
        _ body: Data,
        charset: String?
    ) throws(UnreadableText) -> String {
        let (encoding, mark) = try encoding(of: body, charset)
        guard encoding != .utf8 else {
            guard let text = String(exactly: body.dropFirst(mark)) else {
                throw UnreadableText(charset: "utf-8")
            }
            return text
        }
        // Foundation silently drops a trailing half of a UTF-16 code unit.
        let isHalved = twoByteEncodings.contains(encoding) && body.count % 2 != 0
        guard !isHalved, let text = String(data: body.dropFirst(mark), encoding: encoding) else {
            throw UnreadableText(charset: charset ?? "utf-16")
        }
        return text
    }

    /// Decodes a body with U+FFFD for its invalid parts.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - charset: The declared charset in lowercase, or nil. UTF-8 stands in for all but UTF-16.
    /// - Returns: The text without a byte order mark.
    package static func repaired(_ body: Data, charset: String?) -> String {
        let (encoding, mark) = (try? encoding(of: body, charset)) ?? (.utf8, mark: 0)
        let bytes = [UInt8](body.dropFirst(mark))
        guard twoByteEncodings.contains(encoding) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let isSwapped = encoding == .utf16LittleEndian
        var units = stride(from: 0, to: bytes.count - 1, by: 2)
            .map { index in
                let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
                return isSwapped ? unit.byteSwapped : unit
            }
        // Half a code unit.
        if bytes.count % 2 != 0 { units.append(0xFFFD) }
        return String(decoding: units, as: UTF16.self)
    }

    /// Determines the encoding and the length of the byte order mark.
    private static func encoding(
        of body: Data,
        _ charset: String?
    ) throws(UnreadableText) -> (String.Encoding, mark: Int) {
        // A byte order mark takes precedence over the header (WHATWG Encoding, section 6.1).
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if body.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if body.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        guard let charset else { return (.utf8, 0) }
        guard let encoding = encodings[charset] else { throw UnreadableText(charset: charset) }
        return (encoding, 0)
    }

    private static let twoByteEncodings: [String.Encoding] = [
        .utf16, .utf16BigEndian, .utf16LittleEndian,
    ]

    /// The encodings by lowercase charset name, from the IANA registry and common aliases.
    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8,
        "us-ascii": .ascii, "ascii": .ascii,
        "iso-8859-1": .isoLatin1, "iso8859-1": .isoLatin1, "latin1": .isoLatin1,
        "iso-8859-2": .isoLatin2, "latin2": .isoLatin2,
        "windows-1250": .windowsCP1250, "cp1250": .windowsCP1250,
        "windows-1251": .windowsCP1251, "cp1251": .windowsCP1251,
        "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252,
        "windows-1253": .windowsCP1253, "cp1253": .windowsCP1253,
        "windows-1254": .windowsCP1254, "cp1254": .windowsCP1254,
        "shift_jis": .shiftJIS, "sjis": .shiftJIS,
        // Without a mark, UTF-16 is big-endian (RFC 2781, section 4.3).
        "utf-16": .utf16BigEndian, "utf-16be": .utf16BigEndian, "utf-16le": .utf16LittleEndian,
        "utf-32be": .utf32BigEndian, "utf-32le": .utf32LittleEndian,
    ]
}

/// An error for a body that isn't valid text in its declared charset.
package struct UnreadableText: Error, Equatable, Sendable, CustomStringConvertible {
    /// The charset's name in lowercase, such as `utf-8`.
    package let charset: String

    init(charset: String) {
        self.charset = charset
    }

    /// A one-line lowercase description.
    package var description: String { "the body is not text in the charset \(charset)" }
}

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
        let folded = bytes.map { HTTPToken.folded($0) }
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
