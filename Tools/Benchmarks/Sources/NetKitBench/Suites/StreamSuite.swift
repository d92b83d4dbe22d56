import ArgumentParser
import Foundation

/// Responses that are read element by element while they arrive.
struct StreamSuite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream",
        abstract: "Lines, JSON lines and server-sent events, one by one."
    )

    private static let demands = [
        Demand(client: StreamClient.netKit, peer: .asyncHTTPClient),
        Demand(client: .netKitOverAsyncHTTPClient, peer: .asyncHTTPClient),
    ]

    @Flag(help: "Print one JSON object a line for each client and content.")
    var json = false

    @Option(help: "How often every client is measured.")
    var rounds = 7

    @Option(help: "How many lines or events a response has; a million lines, else 100,000.")
    var count: Int?

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds is at least 1") }
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count is at least 1") }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)  // a child that has ended shows as an error of its pipe
        let reporter = Reporter(json: json)
        reporter.begin(
            """
            stream: lines of 16 bytes, JSON and events of 37 and more, read one by one, HTTP/1.1 \
            on 127.0.0.1; \(rounds) rounds
            """
        )
        let server = try Server()
        defer { server.end() }
        for content in StreamContent.allCases {
            let count = count ?? content.defaultCount
            let condition = Comparison.Condition(name: content.key, value: count)
            let costs = try measure(content, count, against: server)
            let rows = TimeRow.rows(
                suite: "stream",
                condition,
                clients: StreamClient.allCases,
                baselines: [.asyncHTTPClient],
                costs: costs
            )
            reporter.report(
                "\(count) \(content.rawValue)",
                Table(rows, unit: "elements"),
                json: rows.map(\.json)
            )
            reporter.report(
                Self.demands.compactMap {
                    $0.comparison(suite: "stream", condition, .time, of: costs, \.seconds)
                }
            )
        }
        reporter.end(
            """
            time, CPU: of a response, medians of the rounds. Ratios: median [quartiles] of the \
            rounds' paired ratios.
            """
        )
    }

    private func measure(
        _ content: StreamContent,
        _ count: Int,
        against server: Server
    ) throws -> [StreamClient: [RunCost]] {
        try Rounds.run(
            rounds,
            of: "\(count)",
            warmUp: "\(max(1, count / 10))",
            starting: StreamClient.allCases
        ) { client in
            try Worker(
                client,
                subcommand: "read-stream",
                arguments: ["--base-url", server.baseURL, "--content", content.rawValue]
            )
        }
    }
}

extension StreamContent {
    /// The name of the count in JSON.
    fileprivate var key: String { rawValue.replacingOccurrences(of: "-", with: "_") }
}
