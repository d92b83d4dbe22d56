/// One client's result in the suites `upload` and `download`.
struct TransferRow: Equatable, Sendable {
    let client: TransferClient
    /// Bytes per second.
    let rate: Spread
    /// Rates over those of the suite's baseline.
    let rateVersusBaseline: Spread
    /// CPU seconds of a transfer, the median of the rounds.
    let cpuSeconds: Double
    /// Bytes.
    let idleRSS: Int
    /// The most memory over the idle process in any round, in bytes.
    let memoryOverIdle: Int
}

extension TransferRow {
    /// Compares the clients, round by round.
    ///
    /// - Parameters:
    ///   - direction: The suite.
    ///   - costs: Each client's transfers, in the order of the rounds, the baseline's among them.
    /// - Returns: A row for each client, in the order of the report.
    static func rows(
        direction: TransferDirection,
        costs: [TransferClient: [TransferCost]]
    ) -> [TransferRow] {
        guard let baseline = costs[direction.baseline] else { return [] }
        return direction.clients.compactMap { client in
            guard let own = costs[client] else { return nil }
            return TransferRow(
                client: client,
                rate: Spread(own.map(\.rate)),
                rateVersusBaseline: Spread(own.map(\.rate), over: baseline.map(\.rate)),
                cpuSeconds: Spread(own.map(\.cpuSeconds)).median,
                idleRSS: own.map(\.idleRSS).max() ?? 0,
                memoryOverIdle: own.map(\.memoryOverIdle).max() ?? 0
            )
        }
    }

    /// What this client is to reach, and whether it does; nothing for clients that are not NetKit's.
    var goals: [Goal] {
        guard client.isNetKit else { return [] }
        return [
            Goal(
                client: client,
                kind: .rateVersusBaseline,
                limit: client.direction.rateGoal,
                value: rateVersusBaseline.median
            ),
            Goal(
                client: client,
                kind: .mebibytesOverIdle,
                limit: Double(TransferDirection.memoryLimit) / 1_048_576,
                value: Double(memoryOverIdle) / 1_048_576
            ),
        ]
    }
}
