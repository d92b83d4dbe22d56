/// Makes text from elsewhere fit for a log.
enum LogText {
    /// A text whose line breaks, and what else a terminal takes for a command, are escapes.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - keepingLines: Whether line feeds and tabs stay.
    /// - Returns: The text.
    static func plain(_ text: String, keepingLines: Bool = false) -> String {
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

    /// Controls, ends of lines and paragraphs, and what turns the direction of writing.
    private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}
