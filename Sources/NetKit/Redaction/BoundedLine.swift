/// Text from elsewhere as one short line, fit for a person, a log and a terminal.
enum BoundedLine {
    /// The line: line breaks, controls and runs of white space become one space, the rest is cut off.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - maximum: The most Unicode scalars, and so the most characters, of the line. Defaults to 200.
    /// - Returns: The line, without white space at its ends; `…` stands for what was cut off.
    static func text(_ text: some StringProtocol, maximum: Int = 200) -> String {
        var line = ""
        var length = 0
        var isBehindBlank = false
        for character in text {
            if character.unicodeScalars.allSatisfy(isBlank) {
                isBehindBlank = !line.isEmpty
                continue
            }
            // Scalars count: of combining ones a character can have any number.
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
