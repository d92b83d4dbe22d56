import Foundation

/// The table of a run, as text and as JSON for RESULTS.md.
struct Report {
    private let result: SoakRun.Result
    private let options: Options

    init(_ result: SoakRun.Result, _ options: Options) {
        (self.result, self.options) = (result, options)
    }

    private var header: [String] {
        ["work"] + options.engines.map { "over \($0.title)" }
            + ["right values", "expected failures", "cancelled", "wrong"]
    }

    private var rows: [[String]] {
        Work.allCases.map { work in
            let tallies = options.engines.map {
                result.tallies[Tally.Key(work: work, engine: $0)] ?? Tally()
            }
            return row(work.title, tallies)
        }
            + [row("all", options.engines.map(total))]
    }

    private func total(over engine: Engine) -> Tally {
        result.tallies.filter { $0.key.engine == engine }.values.reduce(Tally(), +)
    }

    private func row(_ title: String, _ tallies: [Tally]) -> [String] {
        let sum = tallies.reduce(Tally(), +)
        return [title] + tallies.map { "\($0.started)" }
            + [sum.values, sum.failures, sum.cancelled, sum.wrong].map { "\($0)" }
    }

    private var notes: [String] {
        [
            """
            \(result.total.started) operations started and \(result.total.ended) ended; their \
            \(result.calls) calls finished once each, with \(result.exchanges) exchanges.
            """,
            "Events that arrived right after the end of their call: \(result.lateEvents).",
        ]
            + result.figures.map { figure in
                """
                \(figure.name), first and second half after the warm-up: \(figure.first) and \
                \(figure.second); at most \(figure.tolerance) more are allowed.
                """
            }
            + [
                """
                Descriptors before the work and after the shutdown: \(result.before.descriptors) and \
                \(result.after.descriptors). Threads: \(result.before.threads) and \
                \(result.after.threads).
                """,
                result.breaches.isEmpty ? "No breach." : "\(result.breachCount) breaches.",
            ]
    }

    /// The table, the notes and the breaches.
    var text: String {
        let table = [header] + rows
        let widths = header.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        let lines = table.map { row in
            zip(row, widths).enumerated()
                .map { index, cell in
                    let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
                    return index == 0 ? cell.0 + blanks : blanks + cell.0
                }
                .joined(separator: "  ")
        }
        let breaches = result.breaches.map { "FAILED: \($0)" }
        return (lines + notes + breaches).joined(separator: "\n")
    }

    /// Writes the JSON.
    func write(to file: URL) throws {
        let minutes = options.minutes.formatted()
        let json: [String: Any] = [
            "suite": "soak",
            "title": "Soak: \(minutes) minutes of mixed work against a faulty server",
            "source": "Tools/scripts/endure soak \(minutes), seed \(options.seed)",
            "table": ["header": header, "rows": rows],
            "notes": notes,
        ]
        let options: JSONSerialization.WritingOptions = [
            .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
        ]
        let data = try JSONSerialization.data(withJSONObject: json, options: options)
        try (data + Data("\n".utf8)).write(to: file)
    }
}
