/// The workers, each of which runs one operation after the other.
struct Workers {
    private let options: Options
    private let ledger: Ledger
    private let calls: CallCount
    private let clients: [Client]
    /// The number below that of the first operation.
    ///
    /// The server must not meet a number twice.
    private let base: Int

    init(
        _ options: Options,
        _ ledger: Ledger,
        _ calls: CallCount,
        _ clients: [Client],
        from base: Int = 0
    ) {
        (self.options, self.ledger, self.calls) = (options, ledger, calls)
        (self.clients, self.base) = (clients, base)
    }

    /// Runs operations for a duration, then waits for those in flight.
    ///
    /// - Returns: Whether all ended within `patience`.
    @discardableResult
    func run(for duration: Duration, patience: Duration = .seconds(120)) async -> Bool {
        let end = ContinuousClock.now + duration
        let workers = clients.flatMap { client in
            (0..<options.workers)
                .map { worker in
                    Task { [self] in await work(client, worker, until: end) }
                }
        }
        try? await Task.sleep(for: duration)
        while !ledger.pending.isEmpty {
            guard ContinuousClock.now < end + patience else {
                for entry in ledger.pending { ledger.breach("\(entry.name): no end") }
                return false
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
        for worker in workers { await worker.value }
        return true
    }

    private func work(_ client: Client, _ worker: Int, until end: ContinuousClock.Instant) async {
        let engine = Engine.allCases.firstIndex(of: client.engine) ?? 0
        var random = SeededGenerator(
            seed: options.seed &* 1_000_003 &+ UInt64(engine * 1_000 + worker)
        )
        var number = base + worker
        while ContinuousClock.now < end {
            number += options.workers
            let work = Work.random(using: &random)
            let turn = turn(client, worker, number, work, &random)
            guard await Planted.plant(options.plant, at: number) else { return }
            ledger.end(turn.ticket, explained(await work.run(turn), turn))
        }
    }

    /// Adds to a wrong outcome what the operation's calls did.
    private func explained(_ verdict: Verdict, _ turn: Turn) -> Verdict {
        guard case .wrong(let reason) = verdict else { return verdict }
        let trails = calls.failures(of: turn.number, over: turn.client.engine)
        return .wrong(([reason] + trails.map { "a call: \($0)" }).joined(separator: "\n  "))
    }

    private func turn(
        _ client: Client,
        _ worker: Int,
        _ number: Int,
        _ work: Work,
        _ random: inout SeededGenerator
    ) -> Turn {
        // From at once to a moment when most operations are over.
        let isCancelled = random.happens(0.2)
        let limit = [200, 2_000, 20_000, 200_000].randomElement(using: &random) ?? 2_000
        let delay = Duration.microseconds(Int.random(in: 0...limit, using: &random))
        let fault = Fault.random(using: &random)
        let seed = random.next()
        let name = """
            \(work.rawValue) \(number) over \(client.engine.title), fault \(fault?.value ?? "none"), \
            cancelled after \(isCancelled ? "\(delay)" : "nothing")
            """
        return Turn(
            client: client,
            ledger: ledger,
            calls: calls,
            plant: options.plant,
            ticket: ledger.begin(work, over: client.engine, name: name),
            worker: worker,
            number: number,
            fault: fault,
            cancelDelay: isCancelled ? delay : nil,
            random: SeededGenerator(seed: seed)
        )
    }
}
