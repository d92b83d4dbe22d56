import Foundation

/// One client's result where a run as a whole is timed.
struct TimeRow: Equatable, Sendable {
    let suite: String
    let condition: Comparison.Condition
    let client: String
    let title: String
    /// Seconds of a run.
    let seconds: Spread
    /// How much was done in a run: calls, parts or lines.
    let count: Int
    /// Time over that of each baseline, with the baseline's name.
    let ratios: [Ratio]
    /// CPU seconds of a run, the median of the rounds.
    let cpuSeconds: Double
    /// The most memory in any round, in bytes.
    let peakRSS: Int

    struct Ratio: Equatable, Sendable {
        let baseline: String
        let spread: Spread
    }

    /// Compares the clients round by round.
    ///
    /// - Parameters:
    ///   - suite: The suite's name.
    ///   - condition: What the rounds have in common; its value is what is done in a run.
    ///   - clients: The clients in the order of the report.
    ///   - baselines: The clients that the others are compared with; each was measured.
    ///   - costs: Each client's runs in the order of the rounds.
    ///   - runs: How often a run does what the condition says.
    /// - Returns: A row for each client that was measured.
    static func rows<Client: BenchmarkClient>(
        suite: String,
        _ condition: Comparison.Condition,
        clients: [Client],
        baselines: [Client],
        costs: [Client: [RunCost]],
        runs: Int = 1
    ) -> [TimeRow] {
        clients.compactMap { client in
            guard let own = costs[client] else { return nil }
            let seconds = own.map { $0.seconds / Double(runs) }
            return TimeRow(
                suite: suite,
                condition: condition,
                client: client.rawValue,
                title: client.title,
                seconds: Spread(seconds),
                count: condition.value,
                ratios: baselines.compactMap { baseline in
                    costs[baseline]
                        .map {
                            Ratio(
                                baseline: baseline.rawValue,
                                spread: Spread(own.map(\.seconds), over: $0.map(\.seconds))
                            )
                        }
                },
                cpuSeconds: Spread(own.map(\.cpuSeconds)).median / Double(runs),
                peakRSS: own.map(\.peakRSS).max() ?? 0
            )
        }
    }

    /// One line of JSON.
    var json: String {
        var line = JSONLine()
        line.add("suite", suite)
        line.add("client", client)
        line.add(condition.name, condition.value)
        line.add("seconds", seconds.median, decimals: 6)
        line.add("per_second", Double(count) / seconds.median, decimals: 1)
        for ratio in ratios {
            let key = "time_vs_" + ratio.baseline.replacingOccurrences(of: "-", with: "_")
            line.add(key, ratio.spread.median, decimals: 3)
        }
        line.add("cpu_seconds", cpuSeconds, decimals: 6)
        line.add("peak_rss_mib", Double(peakRSS) / 1_048_576, decimals: 1)
        return line.text
    }
}

extension Table {
    /// The rows of one case for people.
    ///
    /// - Parameters:
    ///   - rows: The rows; all have the same baselines.
    ///   - unit: What is counted, as in `calls/s`.
    init(_ rows: [TimeRow], unit: String) {
        let baselines = rows.first?.ratios.map(\.baseline) ?? []
        header =
            ["client", "time, ms", "\(unit)/s"] + baselines.map { "time / \($0)" }
            + ["CPU, ms", "peak RSS, MiB"]
        self.rows = rows.map { row in
            [
                row.title,
                Self.milliseconds(row.seconds.median),
                String(format: "%.0f", Double(row.count) / row.seconds.median),
            ] + row.ratios.map { Self.cell($0.spread) } + [
                Self.milliseconds(row.cpuSeconds),
                String(format: "%.1f", Double(row.peakRSS) / 1_048_576),
            ]
        }
    }

    /// A time with three digits or more.
    static func milliseconds(_ seconds: Double) -> String {
        String(format: seconds < 0.1 ? "%.2f" : "%.0f", seconds * 1000)
    }
}
