import ArgumentParser
import Foundation

/// What a client costs the program that uses it: the time of a clean build, and its size.
struct CostSuite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cost",
        abstract: "Clean release build and stripped size of a program with one request."
    )

    @Flag(help: "Print one JSON object a line for each consumer.")
    var json = false

    @Option(help: "How often each consumer is built.")
    var rounds = 1

    @Option(help: "The folder of NetKit's package.")
    var repository = "."

    @Flag(help: "Build the consumers of AsyncHTTPClient as well, which takes minutes.")
    var withAsyncHTTPClient = false

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds is at least 1") }
        guard FileManager.default.fileExists(atPath: repository + "/Sources/NetKit") else {
            throw ValidationError("--repository is not NetKit's folder")
        }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)  // a child that has ended shows as an error of its pipe
        let reporter = Reporter(json: json)
        reporter.begin("cost: a program with one request, built one after the other")
        let folder = try TemporaryFolder()
        defer { folder.end() }
        let server = try Server()
        defer { server.end() }
        // Not counted: it fills the caches of the toolchain.
        _ = try ConsumerCost.measure(.raw, in: folder.url, server: server)
        var costs: [String: [ConsumerCost]] = [:]
        for _ in 0..<rounds {
            for consumer in consumers.shuffled() {
                costs[consumer.name, default: []]
                    .append(
                        try ConsumerCost.measure(consumer, in: folder.url, server: server)
                    )
            }
        }
        let rows = consumers.compactMap { consumer in
            costs[consumer.name].map { CostRow(consumer, $0) }
        }
        reporter.report("one request", Table(rows), json: rows.map(\.json))
        reporter.end(
            """
            Build: dependencies are fetched before; median [least–most] of the rounds. MB: 10⁶ \
            bytes. Goal: at most \(Int(CostRow.secondsLimit)) s and \
            \(Double(CostRow.sizeLimit) / 1e6) MB.
            """
        )
    }

    private var consumers: [Consumer] {
        let repository = URL(fileURLWithPath: repository).standardizedFileURL.path
        return [.empty, .raw] + LocalPeer.all.compactMap(Consumer.init)
            + [.netKit(repository), .netKitOverCurl(repository)]
            + (withAsyncHTTPClient
                ? [.asyncHTTPClient, .netKitOverAsyncHTTPClient(repository)] : [])
    }
}
