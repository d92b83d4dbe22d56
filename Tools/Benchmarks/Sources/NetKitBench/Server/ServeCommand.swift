import ArgumentParser
import Foundation

/// The server's process: prints its port on standard output and ends with its standard input.
struct ServeCommand: ParsableCommand {
    /// A line of standard input; it is answered with the number of answers that were held back.
    enum Order: String, Sendable {
        case hold
        case release
    }

    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the suites on 127.0.0.1 until standard input closes.",
        shouldDisplay: false
    )

    func run() {
        ControlLines.serve { lines in
            let gate = Gate()
            let server = try await BenchmarkServer.start(gate: gate)
            try ControlLines.write(server.port)
            for await line in lines {
                guard let order = Order(rawValue: line) else { throw UnknownLine(line: line) }
                try ControlLines.write(order == .hold ? gate.close() : gate.open())
            }
            try await server.closed()
        }
    }
}
