package import Foundation

/// The options of a `curl` command, as words of a POSIX shell.
package enum CURLOption {
    /// The maximum length of an argument, in bytes.
    ///
    /// Linux allows 128 KiB per argument.
    package static let longestArgument = 100_000

    package static func method(_ method: String) -> String {
        guard method != "HEAD" else { return "--head" }
        // A method may contain `'`, `$`, `&`, and other characters that are special in a shell.
        let isPlain = method.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return "--request \(isPlain ? method : ShellWord.quoted(method))"
    }

    package static func url(_ url: String) -> [String] {
        // Without the second option, curl treats brackets and braces as a pattern of many URLs.
        let isPattern = url.utf8.contains { "[]{}".utf8.contains($0) }
        return ["--url \(ShellWord.quoted(url))"] + (isPattern ? ["--globoff"] : [])
    }

    /// The option of a response that may be compressed, which is the transport's default.
    ///
    /// - Parameter codings: The value of `Accept-Encoding`, or nil.
    /// - Returns: The option, or none.
    package static func compressed(by codings: String?) -> [String] {
        let codings = codings?.lowercased() ?? "gzip"
        return codings.contains("gzip") || codings.contains("deflate") ? ["--compressed"] : []
    }

    package static func header(_ name: String, _ value: String) -> String {
        // A blank value needs a semicolon, because curl would omit the field with a colon.
        let isBlank = value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        return "--header \(ShellWord.quoted(isBlank ? "\(name);" : "\(name): \(value)"))"
    }

    /// Returns the option that sends bytes, and shell code before the command, whose output is piped into it.
    package static func body(_ data: Data) -> (word: String, input: String) {
        guard let text = text(data) else { return ("--data-binary @-", decoding(data)) }
        // As an argument, text that begins with @ would name a file.
        if data.first == UInt8(ascii: "@") || data.count > longestArgument {
            return ("--data-binary @-", "printf '%s' \(ShellWord.quoted(text)) | ")
        }
        return ("--data-binary \(ShellWord.quoted(text))", "")
    }

    /// Returns shell code that pipes bytes into the next command.
    package static func decoding(_ data: Data) -> String {
        "printf '%s' \(ShellWord.quoted(data.base64EncodedString())) | base64 -d | "
    }

    /// Returns UTF-8 bytes as text, including a byte order mark.
    ///
    /// Returns nil for other bytes, and for a NUL, which a shell word can't contain.
    package static func text(_ data: Data) -> String? {
        data.contains(0) ? nil : String(exactly: data)
    }
}

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
