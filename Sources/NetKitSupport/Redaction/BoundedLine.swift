package import Foundation

/// Converts untrusted text to one short line for people, logs, and terminals.
package enum BoundedLine {
    /// Returns the text as one line of limited length.
    ///
    /// Line breaks, control characters, and runs of whitespace become one space.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - maximum: The maximum number of Unicode scalars. Defaults to 200.
    /// - Returns: The line without surrounding whitespace. An ellipsis (`…`) marks removed text.
    package static func text(_ text: String, maximum: Int = 200) -> String {
        var line = ""
        var length = 0
        var isBehindBlank = false
        for character in text {
            if character.unicodeScalars.allSatisfy(isBlank) {
                isBehindBlank = !line.isEmpty
                continue
            }
            // Counts scalars, because a character can have any number of combining ones.
            let size = character.unicodeScalars.count + (isBehindBlank ? 1 : 0)
            guard length + size <= maximum else {
                while length >= maximum, let last = line.popLast() {
                    length -= last.unicodeScalars.count
                }
                return line + "…"
            }
            if isBehindBlank { line.append(" ") }
            isBehindBlank = false
            line.append(character)
            length += size
        }
        return line
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isWhitespace || properties.generalCategory == .control
            || properties.isBidiControl
    }
}

/// Makes untrusted text safe for a log.
package enum LogText {
    private static let stamp = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Returns a line for a console: the time, the name of a level and a message.
    ///
    /// - Parameters:
    ///   - level: The name of the level.
    ///   - message: The message.
    ///   - time: The time.
    ///   - color: The number of the name's color on a terminal, or nil for none.
    /// - Returns: The line, with its end.
    package static func line(
        _ level: String,
        _ message: String,
        at time: Date,
        color: Int?
    ) -> String {
        let name = level.uppercased().padding(toLength: 7, withPad: " ", startingAt: 0)
        let shown = color.map { "\u{1B}[\($0)m\(name)\u{1B}[0m" } ?? name
        return "\(time.formatted(stamp)) \(shown) \(message)\n"
    }

    /// Escapes line breaks and terminal control characters.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - keepingLines: Whether to keep line feeds and tabs. Defaults to `false`.
    /// - Returns: The escaped text.
    package static func plain(_ text: String, keepingLines: Bool = false) -> String {
        text.unicodeScalars.reduce(into: "") { plain, scalar in
            switch scalar {
            case "\n", "\t":
                plain += keepingLines ? String(scalar) : scalar == "\n" ? "\\n" : "\\t"
            case "\r": plain += "\\r"
            case _ where isCommand(scalar): plain += "\\u{\(String(scalar.value, radix: 16))}"
            default: plain.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns whether a scalar is a control, a separator of lines, or a bidi mark.
    private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}
