/// Converts untrusted text to one short line for people, logs, and terminals.
enum BoundedLine {
    /// Returns the text as one line of limited length.
    ///
    /// Line breaks, control characters, and runs of whitespace become one space.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - maximum: The maximum number of Unicode scalars. Defaults to 200.
    /// - Returns: The line without surrounding whitespace. An ellipsis (`…`) marks removed text.
    static func text(_ text: some StringProtocol, maximum: Int = 200) -> String {
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
