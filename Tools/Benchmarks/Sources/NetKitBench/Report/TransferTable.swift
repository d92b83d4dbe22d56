import Foundation

extension Table {
    /// The rows of a suite of transfers for people.
    init(_ rows: [TransferRow]) {
        header = [
            "client", "rate, MB/s", "rate / baseline", "CPU, s", "idle, MiB", "over idle, MiB",
        ]
        self.rows = rows.map { row in
            [
                row.client.title,
                String(
                    format: "%.0f [%.0f–%.0f]",
                    row.rate.median / 1e6,
                    row.rate.minimum / 1e6,
                    row.rate.maximum / 1e6
                ),
                Self.cell(row.rateVersusBaseline),
                String(format: "%.2f", row.cpuSeconds),
                String(format: "%.1f", Double(row.idleRSS) / 1_048_576),
                String(format: "%.1f", Double(row.memoryOverIdle) / 1_048_576),
            ]
        }
    }
}
