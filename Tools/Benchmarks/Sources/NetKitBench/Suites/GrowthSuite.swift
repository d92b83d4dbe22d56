import ArgumentParser
import Foundation

/// Many calls to one host, all started at once: what a queue of calls costs in time and in memory.
struct GrowthSuite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Many GETs of 1 KB of JSON, all started at once; and the memory of pending calls."
    )

    /// The clients, in the order of the report.
    private static let clients = Client.small.filter {
        ![.rawDefault, .rawFloor, .rawCurl, .rawCurlAsync, .asyncHTTPClientDecompressing]
            .contains($0)
    }
    private static let demands = [
        Demand(client: Client.netKitAsync, peer: .rawTuned, limit: 1.3),
        Demand(client: .netKitCallbacks, peer: .rawTuned),
        Demand(client: .netKitOverAsyncHTTPClient, peer: .asyncHTTPClient, limit: 2),
        Demand(client: .netKitCallbacksOverAsyncHTTPClient, peer: .asyncHTTPClient),
        Demand(client: .netKitOverCurl, peer: .asyncHTTPClient, limit: 1),
        Demand(client: .netKitCallbacksOverCurl, peer: .asyncHTTPClient),
    ]

    @Flag(help: "Print one JSON object a line for each client and number of calls.")
    var json = false

    @Option(help: "How often every client is measured.")
    var rounds = 5

    @Option(help: "How many calls are started at once, a list; 0 for none.")
    var calls = NumberList([1000, 10_000, 100_000])

    @Option(help: "How many calls are pending when memory is measured, a list; 0 for none.")
    var pending = NumberList([1000, 10_000])

    @Option(help: "How many calls are in flight when memory is measured, a list; 0 for none.")
    var inFlight = NumberList([1000])

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds is at least 1") }
        let counts = calls.values + pending.values + inFlight.values
        guard counts.allSatisfy({ $0 >= 0 }) else {
            throw ValidationError("--calls, --pending and --in-flight are at least 0")
        }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)  // a child that has ended shows as an error of its pipe
        let reporter = Reporter(json: json)
        reporter.begin(
            """
            growth: GETs of 1 KB of JSON decoded into a struct, all started at once, HTTP/1.1 on \
            127.0.0.1; \(rounds) rounds
            """
        )
        let server = try Server()
        defer { server.end() }
        var growth = Growth()
        for count in calls.values where count > 0 {
            let costs = try measure(count, against: server)
            growth.add(costs, clients: Self.clients)
            let condition = Comparison.Condition(name: "calls", value: count)
            let rows = TimeRow.rows(
                suite: "growth",
                condition,
                clients: Self.clients,
                baselines: [.rawTuned, .asyncHTTPClient],
                costs: costs
            )
            reporter.report(
                "\(count) calls at once",
                Table(rows, unit: "calls"),
                json: rows.map(\.json)
            )
            reporter.report(
                Self.demands.compactMap {
                    $0.comparison(suite: "growth", condition, .time, of: costs, \.seconds)
                }
            )
        }
        reporter.report("growth", Table(growth), json: growth.lines.map(\.json))
        for count in pending.values where count > 0 {
            let rows = try memory(count, connections: nil, against: server)
            reporter.report(
                "memory of \(count) pending calls, default connections",
                Table(rows),
                json: rows.map(\.json)
            )
        }
        for count in inFlight.values where count > 0 {
            let rows = try memory(count, connections: count, against: server)
            reporter.report(
                "memory of \(count) pending calls, a connection for each",
                Table(rows),
                json: rows.map(\.json)
            )
        }
        reporter.end(
            """
            Times: medians of the rounds. Ratios: median [quartiles] of the rounds' paired ratios. \
            Memory: resident with the calls pending less resident without, a call; median \
            [least–most].
            """
        )
    }

    private func measure(_ count: Int, against server: Server) throws -> [Client: [RunCost]] {
        let warmUp = min(count, 1000)
        return try Rounds.run(
            rounds,
            of: "\(count)",
            warmUp: "\(warmUp)",
            starting: Self.clients
        ) { client in
            try Worker(
                client,
                subcommand: "work",
                arguments: ["--base-url", server.baseURL, "--in-flight", "\(count)"],
                patience: .seconds(1200)
            )
        }
    }

    private func memory(
        _ count: Int,
        connections: Int?,
        against server: Server
    ) throws -> [MemoryRow] {
        var samples: [Client: [PendingMemory]] = [:]
        for _ in 0..<min(rounds, 3) {
            for client in Self.clients.shuffled() {
                samples[client, default: []]
                    .append(
                        try PendingMemory.measure(
                            client,
                            calls: count,
                            connections: connections,
                            server: server
                        )
                    )
            }
        }
        return Self.clients.compactMap { client in samples[client].map { MemoryRow(client, $0) } }
    }
}
