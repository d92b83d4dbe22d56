import ArgumentParser
import Foundation

/// A process that makes one call: what a client costs until its first value.
struct ColdSuite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cold",
        abstract: "From the start of a process to its first decoded response."
    )

    private static let demands = [
        Demand(client: ColdClient.netKit, peer: .raw, limit: 1.05),
        Demand(client: .netKitCallbacks, peer: .raw, limit: 1.05),
        Demand(client: .netKitOverAsyncHTTPClient, peer: .asyncHTTPClient, limit: 1.2),
    ]

    @Flag(help: "Print one JSON object a line for each client.")
    var json = false

    @Option(help: "How often every client is started.")
    var rounds = 21

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds is at least 1") }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)  // a child that has ended shows as an error of its pipe
        let reporter = Reporter(json: json)
        reporter.begin(
            """
            cold: a process each, GET of 1 KB of JSON decoded into a struct, HTTP/1.1 on \
            127.0.0.1; \(rounds) rounds
            """
        )
        let server = try Server()
        defer { server.end() }
        var starts: [ColdClient: [ColdStartTimes]] = [:]
        // The first round is not counted: it brings the executables into the system's cache.
        for round in 0...rounds {
            for client in ColdClient.allCases.shuffled() {
                let times = try ColdStartTimes.measure(client, server: server)
                if round > 0 { starts[client, default: []].append(times) }
            }
        }
        let rows = ColdRow.rows(starts)
        reporter.report("first response", Table(rows), json: rows.map(\.json))
        let condition = Comparison.Condition(name: "rounds", value: rounds)
        reporter.report(
            Self.demands.compactMap {
                $0.comparison(suite: "cold", condition, .time, of: starts, \.toValue)
            }
        )
        reporter.end(
            """
            Medians of the rounds. To main: the system starts the process and loads its libraries; \
            to value: until the response is decoded. Ratios: median [quartiles] of the rounds' \
            paired ratios.
            """
        )
    }
}
