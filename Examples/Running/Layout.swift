/// The two columns of the output: a short label, and text of one or more lines.
enum Layout {
    private static let labelWidth = 11

    /// Prints `text` beside `label`, with further lines below the first.
    static func show(_ label: String, _ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            print(line.isEmpty ? "" : indented(index == 0 ? label : "") + line)
        }
    }

    /// Returns the label with its indentation and padding.
    static func indented(_ label: String) -> String {
        "  " + padded(label, to: labelWidth)
    }

    /// Returns a duration as NetKit's logs show it: `2.32 ms`.
    static func milliseconds(_ duration: Duration) -> String {
        let hundredths = Int((duration / .milliseconds(1) * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10) ms"
    }

    /// Returns `text`, padded with spaces to at least `width` characters.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
