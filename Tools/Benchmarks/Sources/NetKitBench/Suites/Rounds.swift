/// Interleaved rounds: in each, every client does the same, in an order shuffled anew, so that what the
/// machine does meanwhile falls on all of them alike.
enum Rounds {
    /// Runs the rounds and ends the workers.
    ///
    /// - Parameters:
    ///   - count: How many rounds there are.
    ///   - line: The command for each worker in a round.
    ///   - warmUp: The command before the first round; nil for none.
    ///   - clients: The clients that take part.
    ///   - start: Starts a client's worker.
    /// - Returns: Each client's costs in the order of the rounds.
    /// - Throws: The first failure of a call or a process.
    static func run<Client, Cost>(
        _ count: Int,
        of line: String,
        warmUp: String? = nil,
        starting clients: [Client],
        _ start: (Client) throws -> Worker<Client, Cost>
    ) throws -> [Client: [Cost]] {
        var workers: [Worker<Client, Cost>] = []
        defer {
            for worker in workers { worker.end() }
        }
        for client in clients {
            let worker = try start(client)
            workers.append(worker)
            if let warmUp { _ = try worker.run(warmUp) }
        }
        var costs: [Client: [Cost]] = [:]
        for _ in 0..<count {
            for worker in workers.shuffled() {
                costs[worker.client, default: []].append(try worker.run(line))
            }
        }
        return costs
    }
}
