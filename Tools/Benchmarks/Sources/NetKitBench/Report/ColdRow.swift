import Foundation

/// One client's result in the suite `cold`.
struct ColdRow: Equatable, Sendable {
    let client: ColdClient
    /// Seconds.
    let toMain: Spread
    /// Seconds.
    let toValue: Spread
    let versusRaw: Spread
    let versusAsyncHTTPClient: Spread

    /// Compares the clients round by round.
    ///
    /// - Parameter starts: Each client's starts in the order of the rounds.
    /// - Returns: A row for each client; none without the two that the others are compared with.
    static func rows(_ starts: [ColdClient: [ColdStartTimes]]) -> [ColdRow] {
        guard let raw = starts[.raw], let engine = starts[.asyncHTTPClient] else { return [] }
        return ColdClient.allCases.compactMap { client in
            guard let own = starts[client] else { return nil }
            let values = own.map(\.toValue)
            return ColdRow(
                client: client,
                toMain: Spread(own.map(\.toMain)),
                toValue: Spread(values),
                versusRaw: Spread(values, over: raw.map(\.toValue)),
                versusAsyncHTTPClient: Spread(values, over: engine.map(\.toValue))
            )
        }
    }

    /// One line of JSON.
    var json: String {
        var line = JSONLine()
        line.add("suite", "cold")
        line.add("client", client.rawValue)
        line.add("ms_to_main", toMain.median * 1000, decimals: 2)
        line.add("ms_to_value", toValue.median * 1000, decimals: 2)
        line.add("time_vs_raw_tuned", versusRaw.median, decimals: 3)
        line.add("time_vs_async_http_client", versusAsyncHTTPClient.median, decimals: 3)
        return line.text
    }
}

extension Table {
    /// The rows for people.
    init(_ rows: [ColdRow]) {
        header = [
            "client", "to main, ms", "to value, ms", "time / raw tuned", "time / AsyncHTTPClient",
        ]
        self.rows = rows.map { row in
            [
                row.client.title,
                Self.milliseconds(row.toMain.median),
                Self.milliseconds(row.toValue.median),
                Self.cell(row.versusRaw),
                Self.cell(row.versusAsyncHTTPClient),
            ]
        }
    }
}
