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

    func report(_ rows: [ReportRow], inFlight: Int) {
        if json {
            for row in rows { write(row.json) }
        } else {
            write("\n\(inFlight) in flight\n" + Table(rows).text)
        }
    }

    func report(_ rows: [BurstRow]) {
        if json {
            for row in rows { write(row.json) }
        } else if let calls = rows.first?.calls {
            write("\n\(calls) calls at once\n" + Table(rows).text)
        }
    }

    func report(_ goal: EngineGoal) {
        write(json ? goal.json : goal.summary)
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

    func end() {
        guard !json else { return }
        write(
            """

            rate, CPU: medians of the rounds. Ratios: median [quartiles] of the rounds' paired \
            ratios; above 1 is faster for rates, dearer for CPU.
            """
        )
    }

    private func write(_ text: String, asNote: Bool = false) {
        let output: FileHandle = json && asNote ? .standardError : .standardOutput
        output.write(Data("\(text)\n".utf8))
    }
}
