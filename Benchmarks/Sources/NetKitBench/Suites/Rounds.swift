/// Interleaved rounds: in each, every client makes the same number of calls, in random order, so
/// that what the machine does meanwhile falls on all of them alike.
struct Rounds {
    let count: Int
    let calls: Int
    let inFlight: Int

    /// Starts the clients, warms them up, and runs the rounds.
    ///
    /// - Returns: Each client's runs in the order of the rounds.
    /// - Throws: The first failure of a call or a process.
    func run(_ clients: [Client], against server: Server) throws -> [Client: [RunCost]] {
        var workers: [Worker] = []
        defer {
            for worker in workers { worker.end() }
        }
        for client in clients {
            let worker = try Worker(client, inFlight: inFlight, server: server)
            workers.append(worker)
            _ = try worker.run(calls: max(calls / 2, 100))
        }
        var costs: [Client: [RunCost]] = [:]
        for _ in 0..<count {
            for worker in workers.shuffled() {
                costs[worker.client, default: []].append(try worker.run(calls: calls))
            }
        }
        return costs
    }
}
