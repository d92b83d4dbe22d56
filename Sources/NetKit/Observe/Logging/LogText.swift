/// Makes untrusted text safe for a log.
enum LogText {
    /// Escapes line breaks and terminal control characters.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - keepingLines: Whether to keep line feeds and tabs. Defaults to `false`.
    /// - Returns: The escaped text.
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

    /// Returns whether a scalar is a control, a separator of lines, or a bidi mark.
    private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}
