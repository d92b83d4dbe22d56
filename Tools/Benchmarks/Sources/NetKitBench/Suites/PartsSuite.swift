import ArgumentParser
import Foundation

/// Forms of many small files: what a part costs.
struct PartsSuite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parts",
        abstract: "POST of a form of many files of 100 bytes each."
    )

    @OptionGroup var options: SuiteOptions

    @Option(help: "How many parts the form has, a list.")
    var parts = NumberList([100, 1000, 4000])

    @Option(help: "How many calls each client makes in a round.")
    var requests = 10

    func validate() throws {
        guard requests > 0 else { throw ValidationError("--requests is at least 1") }
        guard parts.values.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("--parts is at least 1")
        }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)  // a child that has ended shows as an error of its pipe
        let reporter = Reporter(json: options.json)
        reporter.begin(
            """
            parts: POST of a form of files of 100 bytes, HTTP/1.1 on 127.0.0.1; \
            \(options.rounds) rounds of \(requests) calls, one after the other
            """
        )
        let server = try Server()
        defer { server.end() }
        for count in parts.values {
            let condition = Comparison.Condition(name: "parts", value: count)
            let costs = try measure(count, against: server)
            let rows = TimeRow.rows(
                suite: "parts",
                condition,
                clients: PartsClient.allCases,
                baselines: [.rawUploadData, .asyncHTTPClientData],
                costs: costs,
                runs: requests
            )
            reporter.report("\(count) parts", Table(rows, unit: "parts"), json: rows.map(\.json))
            reporter.report(
                Self.demands.compactMap {
                    $0.comparison(suite: "parts", condition, .time, of: costs, \.seconds)
                }
            )
        }
        reporter.end(
            """
            time, CPU: of a call, medians of the rounds. Ratios: median [quartiles] of the rounds' \
            paired ratios.
            """
        )
    }

    static var demands: [Demand<PartsClient>] {
        var demands = [
            Demand(client: PartsClient.netKitParts, peer: .rawUploadData),
            Demand(client: .netKitPartsOverAsyncHTTPClient, peer: .asyncHTTPClientData),
        ]
        #if ALAMOFIRE_MULTIPART
        demands.append(Demand(client: .netKitParts, peer: .alamofire, limit: 1))
        #endif
        return demands
    }

    private func measure(_ count: Int, against server: Server) throws -> [PartsClient: [RunCost]] {
        try Rounds.run(
            options.rounds,
            of: "\(requests)",
            warmUp: "\(requests)",
            starting: PartsClient.allCases
        ) { client in
            try Worker(
                client,
                subcommand: "send-parts",
                arguments: ["--base-url", server.baseURL, "--parts", "\(count)"]
            )
        }
    }
}
