/// A text in double quotes, in which nothing means anything but `"` and `\` (RFC 9110, section 5.6.4).
enum QuotedString {
    /// The text in quotes, with those two escaped.
    ///
    /// - Parameter text: Any text; whether it may stand in a field is for others to say.
    /// - Returns: The quoted text.
    static func quoting(_ text: String) -> String {
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
