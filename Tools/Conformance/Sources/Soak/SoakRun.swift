import Foundation

/// One run: the server, the workers, the samples, and the checks at the end.
struct SoakRun {
    /// What a run found.
    struct Result: Sendable {
        var tallies: [Tally.Key: Tally]
        var total: Tally
        /// The calls of the endpoints, which are more than the operations.
        var calls: Int
        var exchanges: Int
        /// The events that arrived after the end of their call.
        var lateEvents: Int
        var figures: [Flatness.Figure]
        /// Before the first operation and after the shutdown of everything.
        var (before, after): (ProcessSample, ProcessSample)
        var breaches: [String]
        var breachCount: Int
    }

    private let options: Options
    private let ledger = Ledger()
    private let calls = CallCount()

    init(_ options: Options) {
        self.options = options
    }

    /// Runs for the minutes of the options, then shuts everything down.
    func run() async throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("soak-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess()
        defer { server.end() }

        // What a used engine leaves in the process, such as the threads of its loops, was there before.
        var clients = try makeClients(server, folder)
        var plain = options
        plain.plant = nil
        await Workers(plain, ledger, calls, clients, from: 1_000_000_000).run(for: .seconds(2))
        await shutDown(&clients)
        let before = await settled(
            at: ProcessSample(descriptors: 0, threads: 0, memory: 0),
            within: 10
        )

        clients = try makeClients(server, folder)
        let watch = Watch(ledger, calls)
        let watching = Task { await watch.run() }
        let duration = Duration.seconds(options.minutes * 60)
        let areDone = await Workers(options, ledger, calls, clients)
            .run(
                for: duration,
                patience: options.patience
            )
        watching.cancel()
        let samples = await watching.value
        guard areDone else {
            for trail in calls.trails { ledger.breach("a call that never finished: \(trail)") }
            return result(samples, before, .now())
        }

        checkFiles(of: clients)
        await shutDown(&clients)
        let after = await settled(at: before, within: 30)
        try check(after, against: before, server)
        return result(samples, before, after)
    }

    private func makeClients(_ server: ServerProcess, _ folder: URL) throws -> [Client] {
        try options.engines.map { engine in
            try Client(
                engine,
                server: server.baseURL,
                folder: folder.appendingPathComponent(engine.rawValue),
                calls: calls
            )
        }
    }

    private func shutDown(_ clients: inout [Client]) async {
        for client in clients { await client.shutDown() }
        clients = []
    }

    /// Waits until the process holds no more than before, for at most some seconds.
    ///
    /// A session closes its connections a moment after its release, and Dispatch's threads end when they were idle for
    /// five seconds. Each look wakes one of them, so that looks more frequent would keep all of them.
    private func settled(at goal: ProcessSample, within seconds: Int) async -> ProcessSample {
        var sample = ProcessSample.now()
        for _ in 0..<seconds
        where sample.descriptors > goal.descriptors || sample.threads > goal.threads {
            try? await Task.sleep(for: .seconds(1))
            sample = .now()
        }
        return sample
    }

    private func checkFiles(of clients: [Client]) {
        for client in clients {
            let names =
                (try? FileManager.default.contentsOfDirectory(atPath: client.files.path)) ?? []
            if !names.isEmpty { ledger.breach("files left: \(names.prefix(5))") }
        }
    }

    private func check(
        _ after: ProcessSample,
        against before: ProcessSample,
        _ server: ServerProcess
    ) throws {
        if after.descriptors > before.descriptors {
            ledger.breach(
                "descriptors after the shutdown: \(after.descriptors), \(before.descriptors) before"
            )
        }
        if after.threads > before.threads + Flatness.threadTolerance {
            ledger.breach(
                """
                threads after the shutdown: \(after.threads), \(before.threads) before: \
                \(ProcessSample.threadNames.joined(separator: ", "))
                """
            )
        }
        let connections = try server.openConnections()
        if connections > 0 { ledger.breach("connections after the shutdown: \(connections)") }
        for trail in calls.trails { ledger.breach("a call that never finished: \(trail)") }
        // Two threads may report at once when a call is cancelled: rare, and documented.
        let late = calls.late
        if late.count * 1000 > calls.finished {
            ledger.breach("events of calls that had finished: \(late.count), as \(late.first)")
        }
        if calls.twice > 0 { ledger.breach("calls that finished twice: \(calls.twice)") }
        let total = ledger.total
        if total.started != total.ended {
            ledger.breach("operations: \(total.started) started, \(total.ended) ended")
        }
    }

    private func result(
        _ samples: [ProcessSample],
        _ before: ProcessSample,
        _ after: ProcessSample
    ) -> Result {
        let figures = Flatness(samples).figures
        for figure in figures where !figure.isFlat {
            ledger.breach(
                "\(figure.name): \(figure.first), then \(figure.second); at most \(figure.tolerance) more"
            )
        }
        return Result(
            tallies: ledger.tallies,
            total: ledger.total,
            calls: calls.finished,
            exchanges: calls.exchanges.values.reduce(0, +),
            lateEvents: calls.late.count,
            figures: figures,
            before: before,
            after: after,
            breaches: ledger.breaches,
            breachCount: ledger.breachCount
        )
    }
}
