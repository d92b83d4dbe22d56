import Foundation

/// One consumer's result in the suite `cost`.
struct CostRow: Equatable, Sendable {
    /// What the consumer of NetKit over URLSession may cost.
    static let secondsLimit = 20.0
    /// Bytes.
    static let sizeLimit = 1_800_000

    let name: String
    let title: String
    /// Seconds of a clean release build.
    let seconds: Spread
    /// Bytes of the stripped executable.
    let size: Int

    init(_ consumer: Consumer, _ costs: [ConsumerCost]) {
        name = consumer.name
        title = consumer.title
        seconds = Spread(costs.map(\.seconds))
        size = costs.map(\.strippedSize).max() ?? 0
    }

    /// Whether the goals are reached; nil for another consumer than NetKit's.
    var holds: Bool? {
        guard name == "netkit" else { return nil }
        return seconds.median <= Self.secondsLimit && size <= Self.sizeLimit
    }

    /// One line of JSON.
    var json: String {
        var line = JSONLine()
        line.add("suite", "cost")
        line.add("client", name)
        line.add("build_seconds", seconds.median, decimals: 1)
        line.add("stripped_mb", Double(size) / 1e6, decimals: 2)
        line.add("holds", holds)
        return line.text
    }
}

extension Table {
    /// The rows for people.
    init(_ rows: [CostRow]) {
        header = ["consumer of", "clean release build, s", "stripped, MB", "goal"]
        self.rows = rows.map { row in
            [
                row.title,
                String(
                    format: "%.1f [%.1f–%.1f]",
                    row.seconds.median,
                    row.seconds.minimum,
                    row.seconds.maximum
                ),
                String(format: "%.2f", Double(row.size) / 1e6),
                row.holds.map { $0 ? "holds" : "is missed" } ?? "",
            ]
        }
    }
}
