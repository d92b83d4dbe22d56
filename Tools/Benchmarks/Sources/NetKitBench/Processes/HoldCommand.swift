import ArgumentParser
import Foundation

/// A worker's process for the memory of pending calls.
///
/// It writes its resident memory, in bytes, when it is warm. For a number on its standard input
/// it starts so many calls, which the server does not answer, and writes its memory when they are
/// pending; when they have ended it writes a ``RunCost``.
struct HoldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Starts calls that the server holds back, and measures their memory.",
        shouldDisplay: false
    )

    @Argument var client: Client
    @OptionGroup var server: ServerOption
    @Option(help: "The most connections to the server.") var connections: Int?

    func run() throws {
        let client = try client.itemFetching(
            from: ItemSource(
                baseURL: try server.url,
                path: "held/item",
                connections: connections
            )
        )
        ControlLines.serve { lines in
            try await client.fetchItems(200, inFlight: 16)
            try ControlLines.write(try await SteadyMemory.wait())
            for await line in lines {
                let calls = try ControlLines.count(in: line)
                async let cost = RunCost.measure(calls: calls) {
                    try await client.fetchItems(calls, inFlight: calls)
                }
                try ControlLines.write(try await SteadyMemory.wait())
                try ControlLines.write(try await cost)
            }
        }
    }
}
