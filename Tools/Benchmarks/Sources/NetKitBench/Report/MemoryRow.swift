import Foundation

/// What a client's pending calls take of memory.
struct MemoryRow: Equatable, Sendable {
    let client: String
    let title: String
    let calls: Int
    /// How many of the calls the server had received; the others were queued in the client.
    let inFlight: Int
    /// Bytes a call.
    let bytesPerCall: Spread

    /// The row of a client.
    init<Client: BenchmarkClient>(_ client: Client, _ samples: [PendingMemory]) {
        self.client = client.rawValue
        title = client.title
        calls = samples.first?.calls ?? 0
        inFlight = samples.map(\.inFlight).min() ?? 0
        bytesPerCall = Spread(samples.map(\.bytesPerCall))
    }

    /// One line of JSON.
    var json: String {
        var line = JSONLine()
        line.add("suite", "growth")
        line.add("client", client)
        line.add("pending", calls)
        line.add("in_flight", inFlight)
        line.add("kib_per_call", bytesPerCall.median / 1024, decimals: 1)
        return line.text
    }
}

extension Table {
    /// The rows of one number of pending calls for people.
    init(_ rows: [MemoryRow]) {
        header = ["client", "queued", "in flight", "KiB/call"]
        self.rows = rows.map { row in
            [
                row.title,
                "\(row.calls - row.inFlight)",
                "\(row.inFlight)",
                String(
                    format: "%.1f [%.1f–%.1f]",
                    row.bytesPerCall.median / 1024,
                    row.bytesPerCall.minimum / 1024,
                    row.bytesPerCall.maximum / 1024
                ),
            ]
        }
    }
}
