import Foundation

/// One client's result for one number of calls that are started at once.
struct BurstRow: Equatable, Sendable {
    /// The most time that NetKit over URLSession takes, over the time of raw URLSession.
    static let limit = 1.3

    let client: Client
    let calls: Int
    /// Seconds from the first start to the last value, the median of the rounds.
    let seconds: Double
    let timeVersusRawTuned: Spread
    /// Bytes.
    let peakRSS: Int

    /// Whether the goal is reached, nil for a client that has none.
    var holds: Bool? {
        client == .netKitAsync ? timeVersusRawTuned.median <= Self.limit : nil
    }

    /// Compares the clients round by round.
    ///
    /// - Parameters:
    ///   - clients: The clients in the order of the report.
    ///   - calls: How many calls were started at once.
    ///   - costs: Each client's runs in the order of the rounds, raw URLSession's among them.
    /// - Returns: A row for each client.
    static func rows(clients: [Client], calls: Int, costs: [Client: [RunCost]]) -> [BurstRow] {
        guard let raw = costs[.rawTuned] else { return [] }
        return clients.compactMap { client in
            guard let own = costs[client] else { return nil }
            return BurstRow(
                client: client,
                calls: calls,
                seconds: Spread(own.map(\.seconds)).median,
                timeVersusRawTuned: Spread(own.map(\.seconds), over: raw.map(\.seconds)),
                peakRSS: own.map(\.peakRSS).max() ?? 0
            )
        }
    }

    /// One line of JSON, its keys in a fixed order.
    var json: String {
        let members = [
            ("suite", "\"burst\""),
            ("client", "\"\(client.rawValue)\""),
            ("calls", "\(calls)"),
            ("seconds", String(format: "%.3f", seconds)),
            ("time_vs_raw_tuned", String(format: "%.3f", timeVersusRawTuned.median)),
            ("peak_rss_mib", String(format: "%.1f", Double(peakRSS) / 1_048_576)),
            ("holds", holds.map { "\($0)" } ?? "null"),
        ]
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}

extension Table {
    /// The rows of one number of calls for people.
    init(_ rows: [BurstRow]) {
        header = ["client", "time, s", "time / raw tuned", "peak RSS, MiB", "goal"]
        self.rows = rows.map { row in
            [
                row.client.title,
                String(format: "%.2f", row.seconds),
                Self.cell(row.timeVersusRawTuned),
                String(format: "%.1f", Double(row.peakRSS) / 1_048_576),
                row.holds.map { $0 ? "holds" : "is missed" } ?? "",
            ]
        }
    }
}
