import Foundation

/// Text in UTF-16 or UTF-32, in which names can't be found by their ASCII bytes.
struct WideText {
    private let bytes: ArraySlice<UInt8>
    private let encoding: String.Encoding
    private let hasMark: Bool

    /// Detects UTF-16 or UTF-32.
    ///
    /// Nil for any other text.
    ///
    /// The text has a byte order mark, zeros among its first four bytes, or a charset in its `Content-Type`.
    init?(_ bytes: ArraySlice<UInt8>, type: String?) {
        self.bytes = bytes
        let start = Array(bytes.prefix(4))
        let marks: [([UInt8], String.Encoding)] = [
            ([0xFF, 0xFE, 0, 0], .utf32LittleEndian), ([0, 0, 0xFE, 0xFF], .utf32BigEndian),
            ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
        ]
        if let mark = marks.first(where: { start.starts(with: $0.0) }) {
            (encoding, hasMark) = (mark.1, true)
            return
        }
        hasMark = false
        switch start.map({ $0 == 0 }) {
        case [true, true, true, false]: encoding = .utf32BigEndian
        case [false, true, true, true]: encoding = .utf32LittleEndian
        case [true, false, true, false], [true, false]: encoding = .utf16BigEndian
        case [false, true, false, true], [false, true]: encoding = .utf16LittleEndian
        default:
            switch BodyKind.charset(of: type) {
            case "utf-16"?, "utf-16be"?: encoding = .utf16BigEndian
            case "utf-16le"?: encoding = .utf16LittleEndian
            case "utf-32"?, "utf-32be"?: encoding = .utf32BigEndian
            case "utf-32le"?: encoding = .utf32LittleEndian
            default: return nil
            }
        }
    }

    /// The text in UTF-8, without a byte order mark.
    ///
    /// Nil if it is invalid.
    var utf8: [UInt8]? {
        String(data: Data(bytes), encoding: encoding)
            .map { text in
                let utf8 = Array(text.utf8)
                return utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(utf8.dropFirst(3)) : utf8
            }
    }

    /// Encodes another text in the same encoding.
    ///
    /// Nil if that is impossible.
    func encoded(_ utf8: [UInt8]) -> [UInt8]? {
        let text = (hasMark ? "\u{FEFF}" : "") + String(decoding: utf8, as: UTF8.self)
        return text.data(using: encoding).map { [UInt8]($0) }
    }
}
