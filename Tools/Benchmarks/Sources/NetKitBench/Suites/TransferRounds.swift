import Foundation

/// Interleaved rounds of the suites `upload` and `download`: in each, every client transfers the file
/// once, one client after the other, in random order.
struct TransferRounds {
    let direction: TransferDirection
    let options: TransferOptions

    /// Measures, and writes the report.
    ///
    /// - Throws: The first failure of a transfer or a process.
    func report() throws {
        signal(SIGPIPE, SIG_IGN)  // a child that has ended shows as an error of its pipe
        let reporter = Reporter(json: options.json)
        let what = direction == .upload ? "POST of a file" : "GET into a file"
        reporter.begin(
            """
            \(direction.rawValue): \(what) of \(options.size), HTTP/1.1 on 127.0.0.1; \
            \(options.rounds) rounds
            """
        )
        let folder = try TemporaryFolder()
        defer { folder.end() }
        let source = try TransferFile.make(
            at: folder.url.appendingPathComponent("source.bin"),
            length: options.size.bytes
        )
        let server = try Server()
        defer { server.end() }
        let costs = try measure(source, in: folder.url, against: server)
        let rows = TransferRow.rows(direction: direction, costs: costs)
        reporter.report(rows, goals: rows.flatMap(\.goals))
    }

    private func measure(
        _ source: TransferFile,
        in folder: URL,
        against server: Server
    ) throws -> [TransferClient: [TransferCost]] {
        try Rounds.run(options.rounds, of: "transfer", starting: direction.clients) { client in
            try Worker(
                client,
                subcommand: "transfer",
                arguments: [
                    "--base-url", server.baseURL, "--source", source.url.path, "--folder",
                    folder.path,
                ],
                patience: .seconds(600)
            )
        }
    }
}
