import Foundation

/// How long a process took until its first value, in seconds from its start.
struct ColdStartTimes: Equatable, Sendable {
    /// Until its code began.
    let toMain: Double
    /// Until the value was there.
    let toValue: Double

    /// Starts the executable of a client and waits for its value.
    ///
    /// - Throws: When there is none, or it ends without a value.
    static func measure(_ client: ColdClient, server: Server) throws -> ColdStartTimes {
        guard
            let executable = Bundle.main.executableURL?.deletingLastPathComponent()
                .appendingPathComponent(client.executable),
            FileManager.default.isExecutableFile(atPath: executable.path)
        else {
            throw ChildProcess.Failure(
                description: """
                    \(client.executable) is not built; first: \
                    swift build -c release --package-path Tools/Benchmarks
                    """
            )
        }
        let start = ContinuousClock.now
        let process = try ChildProcess(
            named: client.executable,
            executable: executable,
            arguments: [server.baseURL]
        )
        defer { process.end() }
        guard try process.nextLine(within: .seconds(20)) == "main" else { throw WrongAnswer.value }
        let main = ContinuousClock.now - start
        guard try process.nextLine(within: .seconds(20)) == "done" else { throw WrongAnswer.value }
        let value = ContinuousClock.now - start
        return ColdStartTimes(toMain: main / .seconds(1), toValue: value / .seconds(1))
    }
}
