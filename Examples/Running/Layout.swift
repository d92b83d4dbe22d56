/// The two columns of the output: a short label, then text of one or more lines.
enum Layout {
    private static let labelWidth = 11

    /// Prints `text` beside `label`; further lines go below the first.
    static func show(_ label: String, _ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            print(line.isEmpty ? "" : indented(index == 0 ? label : "") + line)
        }
    }

    /// The label as it stands at the beginning of a line.
    static func indented(_ label: String) -> String {
        "  " + padded(label, to: labelWidth)
    }

    /// `text` with spaces behind it, so that it is at least `width` characters long.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
