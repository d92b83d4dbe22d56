import Foundation
import NetKit
import NetKitAsyncHTTPClient
import NetKitTesting
import Testing

@Suite("Connections over AsyncHTTPClient", .timeLimit(.minutes(15)))
struct ConnectionTests {
    private let server: MockServer

    init() throws {
        server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
    }

    private func transport(connections: Int) -> AsyncHTTPClientTransport {
        var configuration = AsyncHTTPClientTransport.Configuration()
        configuration.maximumConnectionsPerHost = connections
        return AsyncHTTPClientTransport(configuration: configuration)
    }

    @Test("respects the limit per host, and starts no waiting exchange")
    func limit() async throws {
        server.route(nil, "/stall") { _ in .fault(.stall) }
        let transport = transport(connections: 2)
        let exchanges = (0..<5).map { _ in send("\(server.baseURL)/stall", over: transport) }
        _ = try await server.waitForRequests(2)
        #expect(exchanges.map(\.0.order) == ["s", "s", "", "", ""])
        exchanges[3].1.cancel()
        #expect(await exchanges[3].0.finished() == .cancelled)
        #expect(exchanges[3].0.order == "f")
        exchanges[0].1.cancel()
        _ = try await server.waitForRequests(3)
        #expect(exchanges.map(\.0.order) == ["sf", "s", "s", "f", ""])
        // The last first: it would get the place of another one.
        for (_, exchange) in exchanges.reversed() { exchange.cancel() }
        for (recorder, _) in exchanges { #expect(await recorder.finished() == .cancelled) }
        #expect(server.requests.count == 3)
    }

    @Test("reuses connections, and sets the endpoint's limit to theirs")
    func reuse() async throws {
        let transport = transport(connections: 12)
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport)
        #expect(endpoint.maximumConcurrentRequestsPerHost == 12)
        let same = Endpoint(baseURL: server.baseURL, transport: transport as any Transport)
        #expect(same.maximumConcurrentRequestsPerHost == 12)
        for _ in 0..<200 {
            #expect(try await endpoint.value(for: TextRequest(path: "x", method: .get)) == "ok")
        }
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test("tells the version of HTTP, and nothing else of a connection")
    func facts() async throws {
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport(connections: 1))
        let (facts, continuation) = AsyncStream.makeStream(of: ConnectionFacts?.self)
        endpoint.observation.registerExchanges { continuation.yield($0.phases.connection) }
        _ = try await endpoint.value(for: TextRequest(path: "x", method: .get))
        continuation.finish()
        let seen = await facts.reduce(into: []) { $0.append($1) }
        #expect(seen == [ConnectionFacts(httpVersion: "1.1")])
    }

    @Test("reports a lost connection for a POST on a closed connection, without a resend")
    func stalePost() async throws {
        let transport = transport(connections: 1)
        for fault in MockFault.reusedConnectionFaults {
            for body in [nil, BodySource(Data(count: 100)), BodySource(Data(count: 500_000))] {
                let (warm, first) = send("\(server.baseURL)/x", over: transport)
                #expect(await warm.finished() == .whole)
                server.clearRequests()
                server.enqueue(.fault(fault))
                let (post, second) = send("\(server.baseURL)/x", .post, body: body, over: transport)
                #expect(await post.finished() == .failed(.connectionLost))
                #expect(server.requests.count + server.incompleteRequests.count <= 1)
                withExtendedLifetime((first, second)) {}
            }
        }
    }

    @Test("survives a close at the moment of an early response's end")
    func closedAtAnswer() async throws {
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let script = RawServer.Script(answer: [ok], secondAnswer: ok, closesAtSecond: true)
        let server = try await RawServer(script)
        let transport = transport(connections: 8)
        let url = "http://127.0.0.1:\(server.port)/"
        // AsyncHTTPClient ends the process where such a connection is on another loop than its request.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    for number in 0..<250 {
                        let body = number.isMultiple(of: 2) ? nil : BodySource(Data(count: 70_000))
                        let method: HTTPMethod = body == nil ? .get : .put
                        let (recorder, exchange) = send(url, method, body: body, over: transport)
                        _ = await recorder.finished()
                        withExtendedLifetime(exchange) {}
                    }
                }
            }
        }
        #expect(server.accepted > 100)
    }

    @Test("closes after exchanges in flight at a shutdown, and rejects later ones")
    func shutdown() async throws {
        server.route(nil, "/slow") { _ in .text("slow").delayed(by: .milliseconds(300)) }
        let transport = transport(connections: 1)
        let running = send("\(server.baseURL)/slow", over: transport)
        let queued = send("\(server.baseURL)/x", over: transport)
        async let first: Void = transport.shutdown()
        async let second: Void = transport.shutdown()
        _ = await (first, second)
        #expect(running.0.ending == .whole)
        #expect(queued.0.ending == .whole)
        let (late, exchange) = send("\(server.baseURL)/x", over: transport)
        #expect(await late.finished() == .failed(.other))
        #expect(late.error.map { "\($0)" } == "the transport was shut down")
        exchange.cancel()
        try await server.waitUntilDisconnected()
        withExtendedLifetime((running, queued)) {}
    }

    @Test("ends events after a shutdown, which would reconnect for ever")
    func shutdownOfReaders() async throws {
        let transport = transport(connections: 1)
        await transport.shutdown()
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: transport,
            retryingCount: 0,
            clock: ManualClock()
        )
        let events = endpoint.events(for: TextRequest(path: "x", method: .get)) { _ in
            // Cancels a delay, which would not end on this clock.
            endpoint.cancelAllRequests()
        }
        await #expect {
            for try await _ in events {}
        } throws: {
            "\($0)".contains("shut down")
        }
    }

    @Test("closes connections when the transport is released")
    func letGo() async throws {
        do {
            let (recorder, exchange) = send("\(server.baseURL)/x")
            #expect(await recorder.finished() == .whole)
            withExtendedLifetime(exchange) {}
        }
        try await server.waitUntilDisconnected()
    }

    @Test("receives nothing more while paused, until it resumes")
    func holdingBack() async throws {
        let paused = DispatchSemaphore(value: 0)
        server.route(nil, "/large") { request in
            if request.header("X-Waits") != nil { paused.wait() }
            return .data(Data(count: 64 << 20))
        }
        let (recorder, exchange) = send("\(server.baseURL)/large", headers: ["X-Waits": "1"])
        #expect(exchange.pause())
        paused.signal()
        await eventually { recorder.head != nil }
        // Meanwhile, all of another response arrives.
        let (passing, unpaused) = send("\(server.baseURL)/large")
        #expect(await passing.finished() == .whole)
        #expect(passing.received == 64 << 20)
        withExtendedLifetime(unpaused) {}
        #expect(recorder.received < 1 << 20)
        exchange.resume()
        #expect(await recorder.finished() == .whole)
        #expect(recorder.received == 64 << 20)
        let (other, second) = send("\(server.baseURL)/large", headers: ["X-Waits": "1"])
        #expect(second.pause())
        paused.signal()
        await eventually { other.head != nil }
        second.cancel()
        #expect(await other.finished() == .cancelled)
        #expect(other.received < 1 << 20)
    }

    @Test("tunnels through a proxy, even to an http server", arguments: [true, false])
    func tunnel(isLiteral: Bool) async throws {
        let proxy = try await RawServer(
            .init(
                answer: ["HTTP/1.1 200 Connection established\r\n\r\n"],
                secondAnswer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            )
        )
        var configuration = AsyncHTTPClientTransport.Configuration()
        configuration.proxy = .http(host: "127.0.0.1", port: proxy.port)
        let transport = AsyncHTTPClientTransport(configuration: configuration)
        let host = isLiteral ? "[::1]:7" : "elsewhere.test"
        let (recorder, exchange) = send("http://\(host)/x", over: transport)
        #expect(await recorder.finished() == .whole)
        withExtendedLifetime(exchange) {}
        #expect(recorder.body == Data("ok".utf8))
        #expect(proxy.requests.first?.hasPrefix("CONNECT ") == true)
        #expect(proxy.requests.last?.hasPrefix("GET /x HTTP/1.1\r\n") == true)
        #expect(proxy.requests.last?.lowercased().contains("\r\nhost: \(host)\r\n") == true)
    }

    @Test("sends proxy credentials with the CONNECT request")
    func proxy() async throws {
        let proxy = try await RawServer(
            .init(answer: ["HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"])
        )
        var configuration = AsyncHTTPClientTransport.Configuration()
        configuration.proxy = .http(
            host: "127.0.0.1",
            port: proxy.port,
            authorization: .basic(username: "u", password: "p")
        )
        let transport = AsyncHTTPClientTransport(configuration: configuration)
        let (recorder, exchange) = send("http://elsewhere.test/x", over: transport)
        #expect(await recorder.finished() == .failed(.cannotConnect))
        withExtendedLifetime(exchange) {}
        let request = try #require(proxy.requests.first)
        #expect(request.hasPrefix("CONNECT elsewhere.test:80 HTTP/1.1\r\n"))
        #expect(request.lowercased().contains("\r\nproxy-authorization: basic dtpw\r\n"))
    }
}
