import ArgumentParser
import Foundation

/// Calls that a cache answers: how many times the rate of the same calls over loopback.
struct CacheSuite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "GET of 1 KB of JSON decoded into a struct, from a cache and from the server."
    )

    private static let demands: [Demand<Client>] = [
        Demand(client: .netKitMemoryHits, peer: .netKitAsync, limit: 15),
        Demand(client: .netKitDiskHits, peer: .netKitAsync, limit: 4),
        Demand(client: .netKitEmptyCache, peer: .netKitAsync),
    ]

    @OptionGroup var options: SuiteOptions

    @Option(help: "How many calls each client makes in a round.")
    var requests = 2000

    @Option(help: "How many calls are under way at a time, a list.")
    var inFlight = NumberList([1, 16])

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
            cache: GET of 1 KB of JSON decoded into a struct, stored or from 127.0.0.1; \
            \(options.rounds) rounds of \(requests) calls
            """
        )
        let server = try Server()
        defer { server.end() }
        let folder = try TemporaryFolder()
        defer { folder.end() }
        for inFlight in inFlight.values {
            let costs = try Rounds.run(
                options.rounds,
                of: "\(requests)",
                warmUp: "100",
                starting: [.netKitAsync] + Client.cached
            ) { client in
                try Worker<Client, RunCost>(
                    client,
                    subcommand: "work",
                    arguments: [
                        "--base-url", server.baseURL, "--in-flight", "\(inFlight)",
                        "--cache-folder", folder.url.path,
                    ]
                )
            }
            reporter.report(
                Self.demands.compactMap {
                    $0.comparison(
                        suite: "cache",
                        Comparison.Condition(name: "in_flight", value: inFlight),
                        .rate,
                        of: costs,
                        \.rate
                    )
                }
            )
        }
        reporter.end("Ratios: median [quartiles] of the rounds' paired ratios; above 1 is faster.")
    }
}
