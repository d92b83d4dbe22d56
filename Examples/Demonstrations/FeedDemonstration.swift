import Foundation
import NetKit
import NetKitTesting

/// Reads a response while it arrives, and stops early.
struct FeedDemonstration: Demonstration {
    let name = "feed"
    let summary = "read server-sent events, and leave the stream early"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        let ticks = (1...1_000).map { Data("id: \($0)\nevent: tick\ndata: number \($0)\n\n".utf8) }
        server.route("GET", "/feed") { _ in
            .chunked(ticks, every: .milliseconds(20)).header("Content-Type", "text/event-stream")
        }
    }

    func run(_ context: Context) async throws {
        context.asked(
            "for try await event in try await endpoint.stream(FeedRequest()).serverSentEvents"
        )
        var events: [ServerSentEvent] = []
        for try await event in try await context.endpoint.stream(FeedRequest()).serverSentEvents {
            events.append(event)
            if events.count == 3 { break }
        }
        context.cameBack(
            events.map { "\($0.event) \($0.id ?? "-"): \($0.data)" }.joined(separator: "\n")
        )
        try context.expect(events.map(\.data) == (1...3).map { "number \($0)" }, "three arrived")
        if let server = context.server {
            try await server.waitUntilDisconnected(timeout: .seconds(60))
            try context.expect(
                server.openConnectionCount == 0,
                "leaving the loop ended the transfer"
            )
        }
    }
}
