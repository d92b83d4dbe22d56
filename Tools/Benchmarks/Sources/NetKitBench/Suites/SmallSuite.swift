import ArgumentParser
import Foundation

/// Calls that are small: what a request costs by itself.
struct SmallSuite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "small",
        abstract: "GET of 1 KB of JSON decoded into a struct."
    )

    @OptionGroup var options: SuiteOptions

    @Option(help: "How many calls each client makes in a round, four for each in flight at least.")
    var requests = 1000

    @Option(help: "How many calls are under way at a time, a list.")
    var inFlight = NumberList([1, 16, 64, 256, 1024])

    func validate() throws {
        guard requests > 0 else { throw ValidationError("--requests is at least 1") }
        guard inFlight.values.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("--in-flight is at least 1")
        }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)  // a child that has ended shows as an error of its pipe
        let reporter = Reporter(json: options.json)
        reporter.begin(
            """
            small: GET of 1 KB of JSON decoded into a struct, HTTP/1.1 on 127.0.0.1; \
            \(options.rounds) rounds of \(requests) calls
            """
        )
        let server = try Server()
        defer { server.end() }
        for inFlight in inFlight.values {
            let costs = try measure(inFlight, against: server)
            let rows = ReportRow.rows(suite: "small", inFlight: inFlight, costs: costs)
            reporter.report("\(inFlight) in flight", Table(rows), json: rows.map(\.json))
            reporter.report(
                Self.demands(inFlight)
                    .compactMap {
                        $0.comparison(
                            suite: "small",
                            Comparison.Condition(name: "in_flight", value: inFlight),
                            .rate,
                            of: costs,
                            \.rate
                        )
                    }
            )
        }
        reporter.end(
            """
            rate, CPU: medians of the rounds. Ratios: median [quartiles] of the rounds' paired \
            ratios; above 1 is faster for rates, dearer for CPU.
            """
        )
    }

    /// What NetKit is compared with, and the goal.
    static func demands(_ inFlight: Int) -> [Demand<Client>] {
        let isAlone = inFlight == 1
        return [
            Demand(client: .netKitAsync, peer: .rawFloor, limit: isAlone ? 0.9 : nil),
            Demand(client: .netKitAsync, peer: .rawTuned, limit: isAlone ? 0.95 : nil),
            Demand(client: .netKitCallbacks, peer: .netKitAsync, limit: isAlone ? 0.95 : nil),
            Demand(
                client: .netKitOverAsyncHTTPClient,
                peer: .asyncHTTPClient,
                limit: isAlone ? 0.95 : 0.9
            ),
            Demand(client: .netKitOverAsyncHTTPClient, peer: .asyncHTTPClientDecompressing),
            Demand(client: .netKitCallbacksOverAsyncHTTPClient, peer: .netKitOverAsyncHTTPClient),
            Demand(client: .netKitOverCurl, peer: .asyncHTTPClient, limit: isAlone ? 1.3 : 1),
            Demand(client: .netKitOverCurl, peer: .netKitAsync, limit: 3),
            Demand(client: .netKitOverCurl, peer: .rawCurl),
            Demand(client: .netKitOverCurl, peer: .rawCurlAsync),
            Demand(client: .netKitCallbacksOverCurl, peer: .netKitOverCurl),
        ]
    }

    private func measure(_ inFlight: Int, against server: Server) throws -> [Client: [RunCost]] {
        let calls = max(requests, 4 * inFlight)
        return try Rounds.run(
            options.rounds,
            of: "\(calls)",
            warmUp: "\(max(calls / 2, 100))",
            starting: Client.small
        ) { client in
            try Worker(
                client,
                subcommand: "work",
                arguments: ["--base-url", server.baseURL, "--in-flight", "\(inFlight)"]
            )
        }
    }
}
