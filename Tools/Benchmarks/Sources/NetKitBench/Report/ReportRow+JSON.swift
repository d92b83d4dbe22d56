import Foundation

extension ReportRow {
    /// The row as one line of JSON, its keys in a fixed order and its ratios as medians.
    var json: String {
        let members = [
            ("suite", "\"\(suite)\""),
            ("client", "\"\(client.rawValue)\""),
            ("in_flight", "\(inFlight)"),
            ("rate", String(format: "%.1f", rate)),
            ("rate_vs_raw_default", String(format: "%.3f", rateVersusRawDefault.median)),
            ("rate_vs_raw_tuned", String(format: "%.3f", rateVersusRawTuned.median)),
            ("cpu_vs_raw_tuned", String(format: "%.3f", cpuVersusRawTuned.median)),
            ("peak_rss_mib", String(format: "%.1f", Double(peakRSS) / 1_048_576)),
        ]
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}
