import Foundation

extension TransferRow {
    /// The row as one line of JSON, its keys in a fixed order and its ratio as the median.
    var json: String {
        let members = [
            ("suite", "\"\(client.direction.rawValue)\""),
            ("client", "\"\(client.rawValue)\""),
            ("mb_per_second", String(format: "%.1f", rate.median / 1e6)),
            ("mb_per_second_min", String(format: "%.1f", rate.minimum / 1e6)),
            ("mb_per_second_max", String(format: "%.1f", rate.maximum / 1e6)),
            ("rate_vs_baseline", String(format: "%.3f", rateVersusBaseline.median)),
            ("cpu_seconds", String(format: "%.3f", cpuSeconds)),
            ("idle_rss_mib", String(format: "%.1f", Double(idleRSS) / 1_048_576)),
            ("mib_over_idle", String(format: "%.1f", Double(memoryOverIdle) / 1_048_576)),
        ]
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}
