/// `Set-Cookie` fields that were joined with commas.
enum SetCookieFields {
    /// Splits joined fields before each ", name=".
    ///
    /// A date also contains a comma, but no equals sign before the next comma or semicolon.
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

    /// Whether the text begins with a blank, a token and an equals sign.
    ///
    /// A value can contain `x,y=1`.
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
