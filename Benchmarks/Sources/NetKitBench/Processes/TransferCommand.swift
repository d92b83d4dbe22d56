import ArgumentParser
import Foundation

/// A worker's process: one client, which transfers the file once for each line of its standard input
/// and answers each with a ``TransferCost`` as a line of JSON.
struct TransferCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer",
        abstract: "Transfers a file with one client, once for each line of standard input.",
        shouldDisplay: false
    )

    @Argument var client: TransferClient
    @Option var baseURL: String
    @Option(help: "What is sent.") var source: String
    @Option(help: "Where temporary files go.") var folder: String

    func run() throws {
        guard let url = URL(string: baseURL) else {
            throw ValidationError("--base-url is not a URL")
        }
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        // What URLSession leaves in its temporary directory goes with the folder.
        setenv("TMPDIR", folder.path, 1)
        let transfers = Transfers(
            client: client.fileTransferring(url),
            direction: client.direction,
            source: try TransferFile(existing: URL(fileURLWithPath: source)),
            folder: folder
        )
        ControlLines.serve { lines in
            try await transfers.makeSmallOne()
            let idleRSS = ResidentMemory.now
            for await _ in lines {
                let cost = try await transfers.measure(idleRSS: idleRSS)
                let answer = try JSONEncoder().encode(cost)
                FileHandle.standardOutput.write(answer + Data("\n".utf8))
            }
        }
    }
}
