import Foundation
import Testing

@testable import NetKitTesting

@Suite("Mock server events", .timeLimit(.minutes(15)))
struct ConnectionEventTests {
    @Test("lists events in order, each with its time", arguments: [false, true])
    func order(reset: Bool) async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .fault(.stall) }
        let client = try RawClient(port: server.port)
        client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n")
        try await server.waitForEvent(.requestHeadReceived)
        client.send("ab")
        let request = try #require(try await server.waitForRequests(1).first)
        let before = ContinuousClock.now
        if reset { client.reset() } else { client.close() }
        let closed = try await server.waitForClientClose(of: request.connectionID)
        #expect(closed.time >= before)
        try await server.waitUntilDisconnected()
        let events = server.connectionEvents
        #expect(
            events.map(\.kind) == [
                .accepted, .requestHeadReceived, .requestReceived, .clientClosed,
            ]
        )
        #expect(events.map(\.time) == events.map(\.time).sorted())
        #expect(events.allSatisfy { $0.connectionID == 1 })
        #expect(events[2].time == request.receivedAt)
    }

    @Test("reports a reset that arrives with the last bytes")
    func hastyReset() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .fault(.stall) }
        for _ in 0..<200 {
            let client = try RawClient(port: server.port)
            client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
            client.reset()
        }
        await eventually { server.acceptedConnectionCount >= 200 }
        try await server.waitUntilDisconnected()
        #expect(server.connectionEvents.filter { $0.kind == .clientClosed }.count == 200)
    }

    @Test("waits for one of many events")
    func manyEvents() async throws {
        let server = try MockServer()
        async let closed = server.waitForClientClose(of: 7, timeout: .seconds(3_600))
        await eventually { !server.core.withState { $0.waiters.waiting.isEmpty } }
        for _ in 0..<1_000 {
            server.core.withState { $0.log.note(.requestReceived, on: 7) }
        }
        for id in 6...8 { server.core.withState { $0.log.note(.clientClosed, on: id) } }
        #expect(try await closed.connectionID == 7)
        #expect(try await server.waitForClientClose().connectionID == 6)
        server.clearRequests()
        server.core.withState { $0.log.note(.clientClosed, on: 8) }
        #expect(try await server.waitForClientClose().connectionID == 8)
    }

    @Test("reports the partial request of a client that disconnected")
    func abandoned() async throws {
        let server = try MockServer()
        let client = try RawClient(port: server.port)
        client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc")
        try await server.waitForEvent(.requestHeadReceived)
        #expect(server.incompleteRequests.map(\.text) == ["abc"])
        client.close()
        try await server.waitForClientClose()
        #expect(server.incompleteRequests.map(\.text) == ["abc"])
        #expect(server.incompleteRequests.map(\.target) == ["/x"])
        #expect(server.requests.isEmpty)
    }

    @Test("reports which side closed first")
    func serverCloses() async throws {
        let server = try MockServer()
        server.enqueue(.status(200).closingConnection(), .fault(.resetBeforeHead))
        for _ in 0..<2 {
            let client = try RawClient(port: server.port)
            client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = client.read()
            client.close()
        }
        try await server.waitUntilDisconnected()
        let ends = server.connectionEvents.filter {
            [.serverClosed, .clientClosed].contains($0.kind)
        }
        #expect(ends.map(\.kind) == [.serverClosed, .serverClosed])
        #expect(ends.map(\.connectionID) == [1, 2])
    }

    @Test("stops waiting at the timeout or on cancellation")
    func giveUp() async throws {
        let server = try MockServer()
        let timeout = Duration.milliseconds(10)
        await #expect(throws: MockServerError.timedOut(waitingFor: "1 requests", after: timeout)) {
            try await server.waitForRequests(1, timeout: timeout)
        }
        let waiting = Task { try await server.waitForRequests(1, timeout: .seconds(Int64.max)) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
