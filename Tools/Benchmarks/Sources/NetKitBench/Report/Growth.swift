import Foundation

/// Whether the cost of a call stays the same however many are started at once.
struct Growth: Equatable, Sendable {
    /// The most that a call may cost among the most calls, over what it costs among the fewest.
    static let limit = 1.5

    /// A client's microseconds a call, by the number of calls.
    struct Line: Equatable, Sendable {
        let client: String
        let title: String
        var points: [Point]

        /// The cost of a call at the last number of calls over that at the first.
        var ratio: Double? {
            guard let first = points.first, let last = points.last, points.count > 1 else {
                return nil
            }
            return last.microseconds / first.microseconds
        }

        var isLinear: Bool? { ratio.map { $0 <= Growth.limit } }
    }

    struct Point: Equatable, Sendable {
        let calls: Int
        let microseconds: Double
    }

    private(set) var lines: [Line] = []

    /// Adds the rounds of a number of calls; fewer calls come before more.
    mutating func add<Client: BenchmarkClient>(_ costs: [Client: [RunCost]], clients: [Client]) {
        for client in clients {
            guard let own = costs[client], let calls = own.first?.calls else { continue }
            let seconds = Spread(own.map(\.seconds)).median
            let point = Point(calls: calls, microseconds: seconds * 1e6 / Double(calls))
            if let index = lines.firstIndex(where: { $0.client == client.rawValue }) {
                lines[index].points.append(point)
            } else {
                lines.append(
                    Line(client: client.rawValue, title: client.title, points: [point])
                )
            }
        }
    }
}

extension Growth.Line {
    /// One line of JSON.
    var json: String {
        var line = JSONLine()
        line.add("suite", "growth")
        line.add("client", client)
        for point in points {
            line.add("us_per_call_at_\(point.calls)", point.microseconds, decimals: 1)
        }
        line.add("last_vs_first", ratio, decimals: 3)
        line.add("limit", Growth.limit, decimals: 2)
        line.add("linear", isLinear)
        return line.text
    }
}

extension Table {
    /// A row for each client, a column for each number of calls.
    init(_ growth: Growth) {
        let counts = growth.lines.first?.points.map(\.calls) ?? []
        header = ["µs/call", "last / first", "linear"] + counts.map { "\($0) calls" }
        rows = growth.lines.map { line in
            [
                line.title,
                line.ratio.map { String(format: "%.2f", $0) } ?? "",
                line.isLinear.map { $0 ? "yes" : "no" } ?? "",
            ] + line.points.map { String(format: "%.0f", $0.microseconds) }
        }
    }
}
