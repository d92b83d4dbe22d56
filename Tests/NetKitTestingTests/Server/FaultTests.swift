import Foundation
import NetKitTesting
import Testing

@Suite("Mock server faults", .timeLimit(.minutes(15)))
struct FaultTests {
    private let get = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n"
    private let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"

    @Test(
        "closes or resets a connection before the head",
        arguments: [
            (MockFault.closeBeforeHead, RawClient.End.closed), (.resetBeforeHead, .reset),
        ]
    )
    func beforeHead(fault: MockFault, end: RawClient.End) throws {
        let server = try MockServer()
        server.enqueue(.fault(fault))
        let client = try RawClient(port: server.port)
        client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
        let outcome = client.read()
        #expect(outcome.bytes.isEmpty)
        #expect(outcome.end == end)
        #expect(server.requests.map(\.text) == ["abc"])
    }

    @Test(
        "truncates the body after a number of bytes, with any framing",
        arguments: [
            (MockResponse.text("0123456789"), 4, "Content-Length: 10\r\n\r\n0123"),
            (.text("0123456789"), 0, "Content-Length: 10\r\n\r\n"),
            (.text("0123"), 9, "Content-Length: 4\r\n\r\n0123"),
            (.chunked([Data("0123".utf8), Data("456".utf8)]), 4, "chunked\r\n\r\n4\r\n0123\r\n"),
            (.chunked([Data("0123".utf8), Data("456".utf8)]), 6, "\r\n4\r\n0123\r\n3\r\n45"),
            (.chunked([Data("0123".utf8)]), 6, "chunked\r\n\r\n4\r\n0123\r\n"),
        ],
        [false, true]
    )
    func cutting(response: (MockResponse, Int, String), reset: Bool) throws {
        let server = try MockServer()
        server.enqueue(response.0.cutting(afterBodyBytes: response.1, reset: reset))
        let client = try RawClient(port: server.port)
        client.send(get)
        let outcome = client.read()
        #expect(String(decoding: outcome.bytes, as: UTF8.self).hasSuffix(response.2))
        #expect(outcome.end == (reset ? .reset : .closed))
    }

    @Test(
        "repeats bytes a number of times, and closes the connection",
        arguments: [(0, "ab"), (1, "abxyz"), (3, "abxyzxyzxyz")]
    )
    func flood(count: Int, expected: String) throws {
        let server = try MockServer()
        server.enqueue(.flood(Data("xyz".utf8), after: Data("ab".utf8), count: count))
        let client = try RawClient(port: server.port)
        client.send(get)
        let outcome = client.read()
        #expect(String(decoding: outcome.bytes, as: UTF8.self) == expected)
        #expect(outcome.end == .closed)
    }

    @Test("repeats bytes until the client disconnects, and nothing if there are none")
    func endlessFlood() async throws {
        let server = try MockServer()
        server.enqueue(.flood(Data("xyz".utf8)), .flood(Data()))
        let client = try RawClient(port: server.port)
        client.send(get)
        let outcome = client.read { $0.count >= 30_000_000 }
        #expect(outcome.bytes.prefix(6) == Data("xyzxyz".utf8))
        client.reset()
        try await server.waitForClientClose()
        let next = try RawClient(port: server.port)
        next.send(get)
        #expect(next.read().bytes.isEmpty)
    }

    @Test("can close within the head, or send it slowly, as raw bytes")
    func headInParts() throws {
        let server = try MockServer()
        let raw = MockResponse.raw(Data("HTTP/1.1 204 No Content\r\n\r\n".utf8))
        server.enqueue(
            raw.cutting(afterBodyBytes: 12),
            raw.dripping(bytes: 9, every: .milliseconds(1))
        )
        for expected in ["HTTP/1.1 204", "HTTP/1.1 204 No Content\r\n\r\n"] {
            let client = try RawClient(port: server.port)
            client.send(get)
            let outcome = client.read()
            #expect(String(decoding: outcome.bytes, as: UTF8.self) == expected)
            #expect(outcome.end == .closed)
        }
    }

    @Test("delivers all bytes before a reset")
    func largeReset() throws {
        let server = try MockServer()
        let body = Data(repeating: 7, count: 20_000_000)
        server.enqueue(.data(body).cutting(afterBodyBytes: 15_000_000, reset: true))
        let client = try RawClient(port: server.port)
        client.send(get)
        let outcome = client.read()
        #expect(outcome.bytes.count > 15_000_000)
        #expect(outcome.end == .reset)
    }

    @Test("stalls before the head or within the body until the client disconnects")
    func stall() async throws {
        let server = try MockServer()
        for (response, expected) in [
            (MockResponse.fault(.stall), ""),
            (
                .text("0123456789").stalling(afterBodyBytes: 3),
                head + "Content-Length: 10\r\n\r\n012"
            ),
        ] {
            server.enqueue(response)
            let client = try RawClient(port: server.port)
            client.send(get)
            #expect(client.readText(until: expected) == expected)
            try await server.waitForRequests(1)
            let id = try #require(server.requests.last?.connectionID)
            client.close()
            try await server.waitForClientClose(of: id)
            try await server.waitUntilDisconnected()
            server.clearRequests()
        }
    }

    @Test(
        "closes a reused connection at its next request, and serves fresh ones",
        arguments: MockFault.reusedConnectionFaults
    )
    func closeReused(fault: MockFault) async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
        server.enqueue(.fault(fault), .text("queued"))
        let client = try RawClient(port: server.port)
        client.send(get)
        #expect(client.readText(until: "queued").hasSuffix("queued"))
        client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
        let outcome = client.read()
        #expect(outcome.bytes.isEmpty)
        guard case .closeReusedConnection(let point, let reset) = fault else { return }
        if reset { #expect(outcome.end == .reset) }
        try await server.waitUntilDisconnected()
        #expect(server.requests.count == (point == .afterBody ? 2 : 1))
        #expect(server.incompleteRequests.count == (point == .afterHead ? 1 : 0))
        let next = try RawClient(port: server.port)
        next.send(get)
        #expect(next.readText(until: "ok").hasSuffix("ok"))
    }

    @Test("closes a connection after a number of body bytes", arguments: [false, true])
    func bodyLimit(isSentWithHead: Bool) async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
        server.requestBodyByteLimit = 10
        let client = try RawClient(port: server.port)
        let start = "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n"
        let body = String(repeating: "b", count: 100)
        if isSentWithHead {
            client.send(start + body)
        } else {
            client.send(start)
            try await server.waitForEvent(.requestHeadReceived)
            client.send(body)
        }
        let outcome = client.read()
        #expect(outcome.bytes.isEmpty)
        #expect([RawClient.End.closed, .reset].contains(outcome.end))
        try await server.waitForEvent(.serverClosed)
        #expect(server.requests.isEmpty)
        #expect(server.incompleteRequests.map(\.bodyLength) == [100])
        // A request without a body has none of its bytes, and another one at least one.
        server.requestBodyByteLimit = 0
        let next = try RawClient(port: server.port)
        next.send(get)
        #expect(next.readText(until: "ok").hasSuffix("ok"))
        next.send(start + "b")
        #expect(next.read().bytes.isEmpty)
    }

    @Test("closes idle connections at once, and no others")
    func closeIdle() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
        server.route(nil, "/stall") { _ in .fault(.stall) }
        let idle = try RawClient(port: server.port)
        idle.send(get)
        _ = idle.readText(until: "ok")
        let busy = try RawClient(port: server.port)
        busy.send("GET /stall HTTP/1.1\r\nHost: h\r\n\r\n")
        let halfway = try RawClient(port: server.port)
        halfway.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc")
        try await server.waitForRequests(2)
        try await server.waitForEvent(.requestHeadReceived, on: 3)
        #expect(server.closeIdleConnections() == 1)
        #expect(idle.read().end == .closed)
        #expect(
            server.connectionEvents.filter { $0.kind == .serverClosed }.map(\.connectionID) == [1]
        )
        #expect(server.incompleteRequests.map(\.bodyLength) == [3])
        #expect(server.closeIdleConnections() == 0)
    }
}
