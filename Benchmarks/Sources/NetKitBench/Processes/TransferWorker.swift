import Foundation

/// A transferring client in a process of its own, so that its CPU time and memory are nobody else's.
struct TransferWorker {
    /// The longest a transfer may take before it counts as hung.
    private static let patience = Duration.seconds(600)

    let client: TransferClient
    private let process: ChildProcess

    /// Starts the process.
    ///
    /// - Throws: When it cannot be started.
    init(_ client: TransferClient, source: URL, folder: URL, server: Server) throws {
        self.client = client
        process = try ChildProcess(
            named: client.rawValue,
            arguments: [
                "transfer", client.rawValue, "--base-url", server.baseURL,
                "--source", source.path, "--folder", folder.path,
            ]
        )
    }

    /// Transfers the file once.
    ///
    /// - Throws: When the transfer failed, or the process ended or hung.
    func run() throws -> TransferCost {
        try process.send("transfer")
        let answer = try process.nextLine(within: Self.patience)
        return try JSONDecoder().decode(TransferCost.self, from: Data(answer.utf8))
    }

    func end() {
        process.end()
    }
}
