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
    @OptionGroup var server: ServerOption
    @Option(help: "What is sent.") var source: String
    @Option(help: "Where temporary files go.") var folder: String

    func run() throws {
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        // What URLSession leaves in its temporary directory goes with the folder.
        setenv("TMPDIR", folder.path, 1)
        let transfers = Transfers(
            client: client.fileTransferring(try server.url),
            direction: client.direction,
            source: try TransferFile(existing: URL(fileURLWithPath: source)),
            folder: folder
        )
        ControlLines.serve { lines in
            try await transfers.makeSmallOne()
            let idleRSS = ResidentMemory.now
            for await _ in lines {
                try ControlLines.write(try await transfers.measure(idleRSS: idleRSS))
            }
        }
    }
}
