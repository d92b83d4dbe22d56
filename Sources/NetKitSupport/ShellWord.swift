/// Quotes words for a POSIX shell.
package enum ShellWord {
    /// Returns a word in single quotes, within which only the quote itself is special.
    package static func quoted(_ text: String) -> String {
        // Works on bytes: to `String`, a quote with a combining mark is another character, but to a shell it ends the
        // word.
        var quoted = [UInt8(ascii: "'")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") {
                quoted += #"'\''"#.utf8
            } else {
                quoted.append(byte)
            }
        }
        return String(decoding: quoted, as: UTF8.self) + "'"
    }

    /// Returns a quoted format from which `printf` produces `text`, without line breaks.
    package static func format(_ text: String) -> String {
        var format: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            // A leading hyphen would start an option.
            case UInt8(ascii: "-") where format.isEmpty: format += #"\055"#.utf8
            case UInt8(ascii: "%"): format += "%%".utf8
            case UInt8(ascii: "\\"): format += #"\\"#.utf8
            case 0x0A: format += #"\n"#.utf8
            case 0x0D: format += #"\r"#.utf8
            default: format.append(byte)
            }
        }
        return quoted(String(decoding: format, as: UTF8.self))
    }
}
