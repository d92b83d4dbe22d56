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

    /// Tells the server to keep the answers to paths below `held/` to itself, or to send them.
    ///
    /// - Returns: How many answers it held back until now.
    /// - Throws: When the server has ended.
    @discardableResult
    func tell(_ order: ServeCommand.Order) throws -> Int {
        try process.send(order.rawValue)
        let answer = try process.nextLine(within: .seconds(10))
        guard let held = Int(answer) else { throw UnknownLine(line: answer) }
        return held
    }

    func end() {
        process.end()
    }
}
