/// The server in a process of its own, so that its CPU time is not the clients'.
struct Server {
    let baseURL: String
    private let process: ChildProcess

    /// Starts the process and waits until it listens.
    ///
    /// - Throws: When it cannot be started or does not say its port.
    init() throws {
        process = try ChildProcess(named: "server", arguments: ["serve"])
        baseURL = "http://127.0.0.1:\(try process.nextLine(within: .seconds(10)))"
    }

    func end() {
        process.end()
    }
}
