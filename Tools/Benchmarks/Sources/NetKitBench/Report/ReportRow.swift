/// One client's result at one number of calls in flight.
struct ReportRow: Equatable, Sendable {
    let suite: String
    let client: Client
    let inFlight: Int
    /// Calls per second, the median of the rounds.
    let rate: Double
    let rateVersusRawDefault: Spread
    let rateVersusRawTuned: Spread
    /// CPU seconds per call, the median of the rounds.
    let cpuPerCall: Double
    let cpuVersusRawTuned: Spread
    /// Bytes.
    let peakRSS: Int
}

extension ReportRow {
    /// Compares the clients of one case, round by round.
    ///
    /// - Parameters:
    ///   - suite: The suite's name.
    ///   - inFlight: How many calls were under way at a time.
    ///   - costs: Each client's runs, in the order of the rounds, the two raw ones among them.
    /// - Returns: A row for each client, in the order of the report.
    static func rows(
        suite: String,
        inFlight: Int,
        costs: [Client: [RunCost]]
    ) -> [ReportRow] {
        guard let rawDefault = costs[.rawDefault], let rawTuned = costs[.rawTuned] else {
            return []
        }
        return Client.allCases.compactMap { client in
            guard let own = costs[client] else { return nil }
            return ReportRow(
                suite: suite,
                client: client,
                inFlight: inFlight,
                rate: Spread(own.map(\.rate)).median,
                rateVersusRawDefault: Spread(own.map(\.rate), over: rawDefault.map(\.rate)),
                rateVersusRawTuned: Spread(own.map(\.rate), over: rawTuned.map(\.rate)),
                cpuPerCall: Spread(own.map(\.cpuPerCall)).median,
                cpuVersusRawTuned: Spread(
                    own.map(\.cpuPerCall),
                    over: rawTuned.map(\.cpuPerCall)
                ),
                peakRSS: own.map(\.peakRSS).max() ?? 0
            )
        }
    }
}
