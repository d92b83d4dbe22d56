import ArgumentParser
import Foundation

/// The server's process: prints its port on standard output and ends with its standard input.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the suites on 127.0.0.1 until standard input closes.",
        shouldDisplay: false
    )

    func run() {
        ControlLines.serve { _ in
            let server = try await BenchmarkServer.start()
            FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
            try await server.closed()
        }
    }
}
