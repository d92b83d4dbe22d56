import ArgumentParser
import Foundation

/// A worker's process: one client, which makes as many calls as each line of its standard input
/// says and answers each line with a ``RunCost``.
struct WorkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Makes the calls of one client, as many as each line of standard input says.",
        shouldDisplay: false
    )

    @Argument var client: Client
    @OptionGroup var server: ServerOption
    @Option var inFlight = 1
    @Option var cacheFolder: String?

    func run() throws {
        var source = ItemSource(baseURL: try server.url)
        source.cacheFolder = cacheFolder.map { URL(fileURLWithPath: $0, isDirectory: true) }
        let client = try client.itemFetching(from: source)
        let inFlight = inFlight
        ControlLines.answer { line in
            let calls = try ControlLines.count(in: line)
            return try await RunCost.measure(calls: calls) {
                try await client.fetchItems(calls, inFlight: inFlight)
            }
        }
    }
}
