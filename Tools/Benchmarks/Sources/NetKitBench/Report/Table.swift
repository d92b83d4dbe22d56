import Foundation

/// Cells in aligned columns: the first to the left, all others to the right.
struct Table {
    let header: [String]
    let rows: [[String]]

    var text: String {
        let lines = [header] + rows
        let widths = header.indices.map { column in
            lines.map { $0[column].count }.max() ?? 0
        }
        return
            lines.map { cells in
                zip(cells, widths).enumerated()
                    .map { column, cell in
                        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                        return column == 0 ? cell.0 + padding : padding + cell.0
                    }
                    .joined(separator: "  ")
            }
            .joined(separator: "\n")
    }
}

extension Table {
    /// The rows of one case for people.
    init(_ rows: [ReportRow]) {
        header = [
            "client", "rate, calls/s", "rate / raw default", "rate / raw tuned", "CPU, µs/call",
            "CPU / raw tuned", "peak RSS, MiB",
        ]
        self.rows = rows.map { row in
            [
                row.client.title,
                String(format: "%.0f", row.rate),
                Self.cell(row.rateVersusRawDefault),
                Self.cell(row.rateVersusRawTuned),
                String(format: "%.0f", row.cpuPerCall * 1e6),
                Self.cell(row.cpuVersusRawTuned),
                String(format: "%.1f", Double(row.peakRSS) / 1_048_576),
            ]
        }
    }

    /// A ratio's median and quartiles.
    static func cell(_ ratio: Spread) -> String {
        String(
            format: "%.2f [%.2f–%.2f]",
            ratio.median,
            ratio.lowerQuartile,
            ratio.upperQuartile
        )
    }
}
