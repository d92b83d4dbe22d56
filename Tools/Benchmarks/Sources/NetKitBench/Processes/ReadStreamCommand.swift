import ArgumentParser
import Foundation

/// A worker's process of the suite `stream`: reads a response of as many elements as each line of its
/// standard input says, and answers with a ``RunCost``.
struct ReadStreamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-stream",
        abstract: "Reads a stream with one client, once for each line of standard input.",
        shouldDisplay: false
    )

    @Argument var client: StreamClient
    @OptionGroup var server: ServerOption
    @Option var content: StreamContent

    func run() throws {
        let reading = client.streamReading(try server.url)
        let content = content
        ControlLines.answer { line in
            let count = try ControlLines.count(in: line)
            return try await RunCost.measure(calls: count) {
                let found = try await reading.read(content, count: count)
                guard found == count else { throw WrongAnswer.length(found) }
            }
        }
    }
}
