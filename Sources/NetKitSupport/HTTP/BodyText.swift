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
    ///   - charset: The declared charset in lowercase, or nil. UTF-8 stands in for an unknown one, and for one other than
    ///     UTF-16 in which the bytes aren't valid.
    /// - Returns: The text without a byte order mark.
    package static func repaired(_ body: Data, charset: String?) -> String {
        let (encoding, mark) = (try? encoding(of: body, charset)) ?? (.utf8, mark: 0)
        let bytes = [UInt8](body.dropFirst(mark))
        guard twoByteEncodings.contains(encoding) else {
            let text = encoding == .utf8 ? nil : String(data: Data(bytes), encoding: encoding)
            return text ?? String(decoding: bytes, as: UTF8.self)
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
        "iso-8859-3": .coreFoundation(0x203), "iso-8859-4": .coreFoundation(0x204),
        "iso-8859-5": .coreFoundation(0x205), "iso-8859-6": .coreFoundation(0x206),
        "iso-8859-7": .coreFoundation(0x207), "iso-8859-8": .coreFoundation(0x208),
        "iso-8859-9": .coreFoundation(0x209), "iso-8859-10": .coreFoundation(0x20A),
        "iso-8859-13": .coreFoundation(0x20D), "iso-8859-14": .coreFoundation(0x20E),
        "iso-8859-15": .coreFoundation(0x20F), "iso-8859-16": .coreFoundation(0x210),
        "windows-874": .coreFoundation(0x41D), "tis-620": .coreFoundation(0x20B),
        "windows-1250": .windowsCP1250, "cp1250": .windowsCP1250,
        "windows-1251": .windowsCP1251, "cp1251": .windowsCP1251,
        "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252,
        "windows-1253": .windowsCP1253, "cp1253": .windowsCP1253,
        "windows-1254": .windowsCP1254, "cp1254": .windowsCP1254,
        "windows-1255": .coreFoundation(0x505), "cp1255": .coreFoundation(0x505),
        "windows-1256": .coreFoundation(0x506), "cp1256": .coreFoundation(0x506),
        "windows-1257": .coreFoundation(0x507), "cp1257": .coreFoundation(0x507),
        "koi8-r": .coreFoundation(0xA02), "koi8-u": .coreFoundation(0xA08),
        "ibm437": .coreFoundation(0x400), "ibm850": .coreFoundation(0x410),
        "ibm866": .coreFoundation(0x41B),
        "shift_jis": .shiftJIS, "shift-jis": .shiftJIS, "sjis": .shiftJIS, "x-sjis": .shiftJIS,
        "windows-31j": .shiftJIS,
        "iso-2022-jp": .iso2022JP, "euc-kr": .eucKR, "ks_c_5601-1987": .eucKR,
        "big5": .coreFoundation(0xA03),
        // It contains the other two (WHATWG Encoding, section 4.2).
        "gb18030": .gb18030, "gbk": .gb18030, "gb2312": .gb18030,
        // Without a mark, UTF-16 is big-endian (RFC 2781, section 4.3).
        "utf-16": .utf16BigEndian, "utf-16be": .utf16BigEndian, "utf-16le": .utf16LittleEndian,
        "utf-32be": .utf32BigEndian, "utf-32le": .utf32LittleEndian,
    ]
}

extension String.Encoding {
    /// The one of Windows, which contains EUC-KR.
    fileprivate static let eucKR = coreFoundation(0x422)
    fileprivate static let gb18030 = coreFoundation(0x632)

    /// An encoding of Core Foundation without a name in Foundation, as `CFStringConvertEncodingToNSStringEncoding` has it.
    fileprivate static func coreFoundation(_ number: UInt) -> String.Encoding {
        String.Encoding(rawValue: 0x8000_0000 | number)
    }
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

    /// Returns the content of the first `title` element, or nil if it isn't safe to use, see ``CombiningMarks``.
    package static func title(of page: String) -> String? {
        let bytes = Array(page.utf8.prefix(64 << 10))
        let folded = bytes.map { HTTPToken.folded($0) }
        guard let name = folded.firstRange(of: Array("<title".utf8)),
            let start = bytes[name.upperBound...].firstIndex(of: UInt8(ascii: ">")),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "<"))
        else { return nil }
        // Skips other elements, such as `<titles>`.
        guard bytes[name.upperBound] == bytes[start] || bytes[name.upperBound].isJSONWhiteSpace,
            !CombiningMarks.areTooMany(in: bytes[start + 1..<end])
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
