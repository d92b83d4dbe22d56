import ArgumentParser
import Foundation

/// Many calls to one host, all started at once: what a queue of calls costs.
struct BurstSuite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "burst",
        abstract: "Many GETs of 1 KB of JSON, all started at once."
    )

    /// The clients that are compared, the first one with the others.
    private static let clients: [Client] = [
        .rawTuned, .netKitAsync, .netKitCallbacks, .netKitOverAsyncHTTPClient,
    ]

    @Flag(help: "Print one JSON object a line for each client and number of calls.")
    var json = false

    @Option(help: "How often every client is measured.")
    var rounds = 5

    @Option(help: "How many calls are started at once, a list.")
    var calls = NumberList([1000, 5000, 10_000, 20_000])

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds is at least 1") }
        guard calls.values.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("--calls is at least 1")
        }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)  // a child that has ended shows as an error of its pipe
        let reporter = Reporter(json: json)
        reporter.begin(
            """
            burst: GETs of 1 KB of JSON decoded into a struct, all started at once, HTTP/1.1 on \
            127.0.0.1; \(rounds) rounds
            """
        )
        let server = try Server()
        defer { server.end() }
        for count in calls.values {
            let costs = try Rounds(count: rounds, calls: count, inFlight: count)
                .run(Self.clients, against: server)
            reporter.report(BurstRow.rows(clients: Self.clients, calls: count, costs: costs))
        }
    }
}
