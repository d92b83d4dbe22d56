/// `Set-Cookie` fields that were joined by commas.
enum SetCookieFields {
    /// Takes joined fields apart, where a comma and a blank are followed by a cookie's name and an equals sign.
    ///
    /// A date has a comma too, but no equals sign before the next comma or semicolon.
    static func split(_ joined: String) -> [String] {
        let bytes = Array(joined.utf8)
        var fields: [String] = []
        var start = 0
        for comma in bytes.indices where bytes[comma] == UInt8(ascii: ",") {
            guard beginsCookie(bytes[(comma + 1)...]) else { continue }
            fields.append(text(bytes[start..<comma]))
            start = comma + 1
        }
        fields.append(text(bytes[start...]))
        return fields
    }

    /// Whether a token and an equals sign come first, behind at least one blank: `x,y=1` stands in a value.
    private static func beginsCookie(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == 0x20 || bytes.first == 0x09 else { return false }
        let rest = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        let end = rest.firstIndex { !HTTPToken.allows($0) } ?? rest.endIndex
        return end > rest.startIndex && end < rest.endIndex && rest[end] == UInt8(ascii: "=")
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).trimmedOfBlanks
    }
}
