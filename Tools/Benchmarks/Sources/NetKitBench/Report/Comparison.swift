import Foundation

/// How a client compares with another one in the same rounds, and the goal.
struct Comparison: Equatable, Sendable {
    /// What is compared.
    enum Quantity: String, Sendable {
        /// To be at least the limit.
        case rate
        /// To be at most the limit.
        case time
        /// To be at most the limit.
        case memory
    }

    let suite: String
    /// What the rounds had in common, such as `in_flight`, and how much of it.
    let condition: Condition
    let quantity: Quantity
    let client: String
    let title: String
    let peer: String
    let peerTitle: String
    let ratio: Spread
    /// Nil where it is only a figure.
    let limit: Double?

    /// A number that the rounds of a case have in common.
    struct Condition: Equatable, Sendable {
        let name: String
        let value: Int
    }

    /// Whether the goal is reached; nil where there is none.
    var holds: Bool? {
        limit.map { quantity == .rate ? ratio.median >= $0 : ratio.median <= $0 }
    }

    /// One line for people.
    var summary: String {
        let figure = "\(quantity.rawValue), \(title) / \(peerTitle): \(Table.cell(ratio))"
        guard let limit, let holds else { return figure }
        let demand = (quantity == .rate ? "at least " : "at most ") + String(format: "%.2f", limit)
        return "\(figure), to be \(demand): \(holds ? "holds" : "is missed")"
    }

    /// One line of JSON.
    var json: String {
        var line = JSONLine()
        line.add("suite", suite)
        line.add(condition.name, condition.value)
        line.add("compares", quantity.rawValue)
        line.add("client", client)
        line.add("peer", peer)
        line.add("ratio", ratio.median, decimals: 3)
        line.add("limit", limit, decimals: 2)
        line.add("holds", holds)
        return line.text
    }
}

/// What a client is compared with, and the goal.
struct Demand<Client: BenchmarkClient>: Sendable {
    let client: Client
    let peer: Client
    /// Nil for a comparison without a goal.
    var limit: Double?

    /// Compares round by round.
    ///
    /// - Parameters:
    ///   - suite: The suite's name.
    ///   - condition: What the rounds have in common.
    ///   - quantity: What is compared.
    ///   - costs: Each client's costs in the order of the rounds.
    ///   - value: The figure of a cost.
    /// - Returns: The comparison; nil where one of the two was not measured.
    func comparison<Cost>(
        suite: String,
        _ condition: Comparison.Condition,
        _ quantity: Comparison.Quantity,
        of costs: [Client: [Cost]],
        _ value: (Cost) -> Double
    ) -> Comparison? {
        guard let own = costs[client], let other = costs[peer] else { return nil }
        return Comparison(
            suite: suite,
            condition: condition,
            quantity: quantity,
            client: client.rawValue,
            title: client.title,
            peer: peer.rawValue,
            peerTitle: peer.title,
            ratio: Spread(own.map(value), over: other.map(value)),
            limit: limit
        )
    }
}
