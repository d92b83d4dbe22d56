import Foundation

/// A client in a process of its own, so that its CPU time and peak memory are nobody else's.
struct Worker {
    /// The longest a run may take before it counts as hung.
    private static let patience = Duration.seconds(120)

    let client: Client
    private let process: ChildProcess

    /// Starts the process.
    ///
    /// - Throws: When it cannot be started.
    init(_ client: Client, inFlight: Int, server: Server) throws {
        self.client = client
        process = try ChildProcess(
            named: client.rawValue,
            arguments: [
                "work", client.rawValue, "--base-url", server.baseURL, "--in-flight", "\(inFlight)",
            ]
        )
    }

    /// Makes `calls` calls and waits for their end.
    ///
    /// - Throws: When a call failed, or the process ended or hung.
    func run(calls: Int) throws -> RunCost {
        try process.send("\(calls)")
        let answer = try process.nextLine(within: Self.patience)
        return try JSONDecoder().decode(RunCost.self, from: Data(answer.utf8))
    }

    func end() {
        process.end()
    }
}
