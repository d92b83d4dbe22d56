import ArgumentParser
import Foundation

/// A worker's process: one client, which makes as many calls as each line of its standard input
/// says and answers each line with a ``RunCost`` as a line of JSON.
struct WorkCommand: ParsableCommand {
    /// A line of input that is not a number of calls.
    struct UnknownLine: Error {
        let line: String
    }

    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Makes the calls of one client, as many as each line of standard input says.",
        shouldDisplay: false
    )

    @Argument var client: Client
    @Option var baseURL: String
    @Option var inFlight = 1

    func run() throws {
        guard let url = URL(string: baseURL) else {
            throw ValidationError("--base-url is not a URL")
        }
        let client = client.itemFetching(from: url)
        let inFlight = inFlight
        ControlLines.serve { lines in
            for await line in lines {
                guard let calls = Int(line), calls > 0 else { throw UnknownLine(line: line) }
                let cost = try await RunCost.measure(calls: calls) {
                    try await client.fetchItems(calls, inFlight: inFlight)
                }
                let answer = try JSONEncoder().encode(cost)
                FileHandle.standardOutput.write(answer + Data("\n".utf8))
            }
        }
    }
}
