import Foundation

/// A client in a process of its own, so that its CPU time and memory are its own.
///
/// Its process answers each line of its standard input with a line of JSON, a `Cost`.
struct Worker<Client: BenchmarkClient, Cost: Decodable> {
    let client: Client
    private let process: ChildProcess
    private let patience: Duration

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - client: The client; its name is the first argument after the subcommand.
    ///   - subcommand: The command of this executable that the process runs.
    ///   - arguments: The arguments after the client.
    ///   - patience: The longest that an answer may take before the process counts as hung.
    /// - Throws: When it cannot be started.
    init(
        _ client: Client,
        subcommand: String,
        arguments: [String],
        patience: Duration = .seconds(120)
    ) throws {
        self.client = client
        self.patience = patience
        process = try ChildProcess(
            named: client.rawValue,
            arguments: [subcommand, client.rawValue] + arguments
        )
    }

    /// Sends a line and waits for its answer.
    ///
    /// - Throws: When a call failed, or the process ended or hung.
    func run(_ line: String) throws -> Cost {
        try process.send(line)
        return try answer()
    }

    /// The next answer, to a line that was sent before.
    ///
    /// - Throws: As ``run(_:)`` does.
    func answer<Answer: Decodable>(_ type: Answer.Type = Answer.self) throws -> Answer {
        let line = try process.nextLine(within: patience)
        return try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
    }

    func end() {
        process.end()
    }
}
