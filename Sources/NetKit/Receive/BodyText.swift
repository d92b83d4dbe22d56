import Foundation

extension HTTPResponse {
    /// The body as text in the charset its Content-Type announces, UTF-8 if none; a byte order mark
    /// is obeyed and removed.
    ///
    /// Bytes that do not fit the charset become U+FFFD, so that there is always something to show;
    /// as a response object, `String` is strict.
    public var text: String {
        // A body in another charset than it says is shown as UTF-8, repaired.
        (try? strictText()) ?? String(decoding: body, as: UTF8.self)
    }

    /// The body as text.
    ///
    /// - Returns: The text without a byte order mark.
    /// - Throws: `UnreadableText` if the body is not text in its charset, or the charset is unknown.
    package func strictText() throws(UnreadableText) -> String {
        let (encoding, mark) = try textEncoding()
        guard encoding != .utf8 else {
            guard let text = String(exactly: body.dropFirst(mark)) else {
                throw UnreadableText(charset: "utf-8")
            }
            return text
        }
        // Foundation would leave half a character of UTF-16 out without a word.
        let isHalved = Self.twoByteEncodings.contains(encoding) && body.count % 2 != 0
        guard !isHalved, let text = String(data: body.dropFirst(mark), encoding: encoding) else {
            throw UnreadableText(charset: charset ?? "utf-16")
        }
        return text
    }

    private var charset: String? {
        headers.contentType?.parameters.first { $0.key.lowercased() == "charset" }?.value
            .lowercased()
    }

    /// The encoding, and the length of the byte order mark.
    private func textEncoding() throws(UnreadableText) -> (String.Encoding, mark: Int) {
        // A mark tells more than the header does (WHATWG Encoding, section 6.1).
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if body.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if body.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        guard let charset else { return (.utf8, 0) }
        guard let encoding = Self.encodings[charset] else { throw UnreadableText(charset: charset) }
        return (encoding, 0)
    }

    private static let twoByteEncodings: [String.Encoding] = [
        .utf16, .utf16BigEndian, .utf16LittleEndian,
    ]

    /// By the charset's name in lower case (IANA's registry, and the aliases in use).
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

/// A body that was to be text is not, in the charset that it announces.
package struct UnreadableText: Error, Equatable, Sendable, CustomStringConvertible {
    /// The charset in lower case, such as `utf-8`.
    package let charset: String

    init(charset: String) {
        self.charset = charset
    }

    /// One lower-case line.
    package var description: String { "the body is not text in the charset \(charset)" }
}
