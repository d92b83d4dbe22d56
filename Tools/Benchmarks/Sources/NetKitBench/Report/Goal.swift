import Foundation

/// A figure that a client is to reach, and the one it has.
struct Goal: Equatable, Sendable {
    /// What is counted.
    enum Kind: String, Sendable {
        /// At least the limit.
        case rateVersusBaseline = "rate_vs_baseline"
        /// At most the limit.
        case mebibytesOverIdle = "mib_over_idle"
    }

    let client: TransferClient
    let kind: Kind
    let limit: Double
    let value: Double

    /// Whether it is reached.
    var holds: Bool {
        switch kind {
        case .rateVersusBaseline: value >= limit
        case .mebibytesOverIdle: value <= limit
        }
    }

    /// One line for people.
    var summary: String {
        let demand =
            switch kind {
            case .rateVersusBaseline:
                String(format: "at least %.1f × the rate of ", limit)
                    + client.direction.baseline.title
            case .mebibytesOverIdle:
                String(format: "at most %.0f MiB over the idle process", limit)
            }
        let verdict = holds ? "holds" : "is missed"
        return "goal: \(client.title): \(demand): \(verdict), \(String(format: "%.2f", value))"
    }

    /// One line of JSON, its keys in a fixed order.
    var json: String {
        let members = [
            ("suite", "\"\(client.direction.rawValue)\""),
            ("client", "\"\(client.rawValue)\""),
            ("goal", "\"\(kind.rawValue)\""),
            ("limit", String(format: "%.1f", limit)),
            ("value", String(format: "%.3f", value)),
            ("holds", "\(holds)"),
        ]
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}
