import ArgumentParser
import Foundation

/// Calls that are small: what a request costs by itself.
struct SmallSuite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "small",
        abstract: "GET of 1 KB of JSON decoded into a struct."
    )

    @OptionGroup var options: SuiteOptions

    @Option(help: "How many calls each client makes in a round.")
    var requests = 1000

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
            small: GET of 1 KB of JSON decoded into a struct, HTTP/1.1 on 127.0.0.1; \
            \(options.rounds) rounds of \(requests) calls
            """
        )
        let server = try Server()
        defer { server.end() }
        for inFlight in inFlight.values {
            let costs = try Rounds(count: options.rounds, calls: requests, inFlight: inFlight)
                .run(Client.allCases, against: server)
            let rows = ReportRow.rows(suite: "small", inFlight: inFlight, costs: costs)
            reporter.report(rows, inFlight: inFlight)
            if let goal = EngineGoal(inFlight: inFlight, costs: costs) { reporter.report(goal) }
        }
        reporter.end()
    }
}
