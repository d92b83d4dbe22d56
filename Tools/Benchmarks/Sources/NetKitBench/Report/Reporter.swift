import Foundation

/// Writes results to standard output, as tables or as JSON; in the latter case everything else
/// goes to standard error.
struct Reporter {
    let json: Bool

    func begin(_ title: String) {
        let conditions = MachineConditions.now
        write(
            ([title, conditions.summary] + conditions.warnings).joined(separator: "\n"),
            asNote: true
        )
    }

    /// Writes a case: its table under a title, or the table's rows as lines of JSON.
    func report(_ title: String, _ table: @autoclosure () -> Table, json lines: [String]) {
        guard !lines.isEmpty else { return }
        if json {
            for line in lines { write(line) }
        } else {
            write("\n\(title)\n\(table().text)")
        }
    }

    func report(_ comparisons: [Comparison]) {
        guard !comparisons.isEmpty else { return }
        write(comparisons.map { json ? $0.json : $0.summary }.joined(separator: "\n"))
    }

    func report(_ rows: [TransferRow], goals: [Goal]) {
        if json {
            for line in rows.map(\.json) + goals.map(\.json) { write(line) }
        } else {
            write(
                """

                \(Table(rows).text)

                \(goals.map(\.summary).joined(separator: "\n"))

                MB: 10⁶ bytes. Rate: median [least–most] of the rounds, CPU: median. Ratio: median \
                [quartiles] of the rounds' paired ratios to the first client. Over idle: the most \
                in any round.
                """
            )
        }
    }

    /// Explains the figures, where people read them.
    func end(_ explanation: String) {
        if !json { write("\n\(explanation)\n\(MachineConditions.now.loadAfter)") }
    }

    private func write(_ text: String, asNote: Bool = false) {
        let output: FileHandle = json && asNote ? .standardError : .standardOutput
        output.write(Data("\(text)\n".utf8))
    }
}
