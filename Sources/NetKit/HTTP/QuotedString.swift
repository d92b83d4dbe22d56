/// A quoted string, in which only `"` and `\` are special (RFC 9110, section 5.6.4).
package enum QuotedString {
    /// Quotes a text, and escapes `"` and `\`.
    ///
    /// - Parameter text: The text. The caller checks whether a field can carry it.
    /// - Returns: The quoted text.
    package static func quoting(_ text: String) -> String {
        var bytes = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(UInt8(ascii: "\\"))
            }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self) + "\""
    }
}
