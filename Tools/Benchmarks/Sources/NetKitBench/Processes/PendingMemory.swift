/// The memory of a process without calls, and with calls that wait for their answer.
struct PendingMemory: Equatable, Sendable {
    let calls: Int
    /// How many of the calls the server had received.
    let inFlight: Int
    /// Bytes resident in the warm process.
    let before: Int
    /// Bytes resident while the calls are pending.
    let pending: Int

    var bytesPerCall: Double { Double(pending - before) / Double(calls) }

    /// Measures in a process of its own.
    ///
    /// - Parameters:
    ///   - client: Who makes the calls.
    ///   - calls: How many.
    ///   - connections: The most connections to the server; nil for the client's default.
    ///   - server: What holds the answers back.
    /// - Returns: The memory before and while the calls are pending.
    /// - Throws: When a call fails, or a process ended or hung.
    static func measure(
        _ client: Client,
        calls: Int,
        connections: Int?,
        server: Server
    ) throws -> PendingMemory {
        let worker = try Worker<Client, Int>(
            client,
            subcommand: "hold",
            arguments: ["--base-url", server.baseURL]
                + (connections.map { ["--connections", "\($0)"] } ?? []),
            patience: .seconds(300)
        )
        defer { worker.end() }
        let before = try worker.answer(Int.self)
        try server.tell(.hold)
        let pending = try worker.run("\(calls)")
        let inFlight = try server.tell(.release)
        _ = try worker.answer(RunCost.self)
        return PendingMemory(calls: calls, inFlight: inFlight, before: before, pending: pending)
    }
}
