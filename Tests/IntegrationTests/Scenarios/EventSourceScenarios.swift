import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("An event source", .timeLimit(.minutes(15)))
struct EventSourceScenarios {
    private struct Feed: Request {
        typealias ResponseObjectType = Void
        let path = "feed"
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    private func events(_ text: String) -> MockResponse {
        .data(Data(text.utf8), contentType: "text/event-stream; charset=utf-8")
    }

    @Test("connects again with the last event id, until a 204")
    func reconnects() async throws {
        server.enqueue(events("retry: 1\nid: a\ndata: 1\n\ndata: 2\n\n"))
        // An id may come without an event, and a transfer may break off.
        server.enqueue(events("data: 3\n\nid: b\n\ndata: lost").cutting(afterBodyBytes: 20))
        server.enqueue(.fault(.closeBeforeHead))
        server.enqueue(events("data: 4\n\n"))
        server.enqueue(.status(204))
        var data: [String] = []
        var ids: [String?] = []
        for try await event in endpoint.events(for: Feed()) {
            data.append(event.data)
            ids.append(event.id)
        }
        #expect(data == ["1", "2", "3", "4"])
        #expect(ids == ["a", "a", "a", "b"])
        #expect(
            server.requests.map { $0.header("Last-Event-ID") } == [nil, "a", "b", "b", "b"]
        )
        #expect(server.requests.allSatisfy { $0.header("Accept") == "text/event-stream" })
    }

    @Test("ends with the typed error of an answer that is no success")
    func refused() async throws {
        server.enqueue(.json(text: #"{"message":"gone"}"#, status: 410))
        do {
            for try await _ in endpoint.events(for: Feed()) {}
            Issue.record("no error")
        } catch let error as ErrorResponse<ServerMessage> {
            #expect(error.statusCode == 410)
            #expect(error.message == "gone")
        }
        #expect(server.requests.count == 1)
    }

    @Test("ends with another Content-Type")
    func contentType() async throws {
        server.enqueue(.text("data: 1\n\n"))
        await #expect(throws: UnexpectedContentType.self) {
            for try await _ in endpoint.events(for: Feed()) {}
        }
    }

    @Test("ends when the task that reads is cancelled, also while it waits to connect again")
    func cancelling() async throws {
        server.enqueue(events("retry: 60000\ndata: 1\n\n"))
        let endpoint = endpoint
        let (told, sink) = AsyncStream.makeStream(of: String.self)
        let task = Task {
            for try await event in endpoint.events(for: Feed()) { sink.yield(event.data) }
        }
        for await data in told {
            #expect(data == "1")
            break
        }
        await eventually { server.openConnections == 0 || server.requests.count == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.count == 1)
    }
}
