import Foundation

/// How NetKit over AsyncHTTPClient compares with AsyncHTTPClient itself, in the same rounds.
struct EngineGoal: Equatable, Sendable {
    /// What it is to reach where many calls are under way.
    static let limit = 0.9

    let inFlight: Int
    /// The rate over that of AsyncHTTPClient used directly.
    let ratio: Spread

    /// Compares the two round by round; nil where one of them was not measured.
    init?(inFlight: Int, costs: [Client: [RunCost]]) {
        guard let own = costs[.netKitOverAsyncHTTPClient], let direct = costs[.asyncHTTPClient]
        else { return nil }
        self.inFlight = inFlight
        ratio = Spread(own.map(\.rate), over: direct.map(\.rate))
    }

    /// Whether it is reached, nil where nothing is asked: with one call at a time.
    var holds: Bool? { inFlight < 16 ? nil : ratio.median >= Self.limit }

    /// One line for people.
    var summary: String {
        let verdict = holds.map { $0 ? ": holds" : ": is missed" } ?? ""
        let demand = holds == nil ? "" : String(format: ", to be at least %.1f", Self.limit)
        return
            "NetKit over AsyncHTTPClient / AsyncHTTPClient: \(Table.cell(ratio))\(demand)\(verdict)"
    }

    /// One line of JSON, its keys in a fixed order.
    var json: String {
        let members = [
            ("suite", "\"small\""),
            ("in_flight", "\(inFlight)"),
            ("goal", "\"rate_vs_async_http_client\""),
            ("limit", String(format: "%.1f", Self.limit)),
            ("value", String(format: "%.3f", ratio.median)),
            ("holds", holds.map { "\($0)" } ?? "null"),
        ]
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}
