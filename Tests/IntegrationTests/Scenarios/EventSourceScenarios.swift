import Foundation
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit

@Suite("Event source", .timeLimit(.minutes(15)))
struct EventSourceScenarios {
    private struct Feed: Request {
        typealias ResponseObjectType = Void
        let path = "feed"
        var headers: HTTPHeaders = [:]
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

    @Test("reconnects with the last event ID, until a 204")
    func reconnects() async throws {
        server.enqueue(events("retry: 1\nid: a\ndata: 1\n\ndata: 2\n\n"))
        // An id may come without an event, and a transfer may break off.
        server.enqueue(events("data: 3\n\nid: b\n\ndata: lost").cutting(afterBodyBytes: 20))
        server.enqueue(.fault(.closeBeforeHead))
        server.enqueue(events("data: 4\n\n"))
        server.enqueue(.status(204))
        var data: [String] = []
        var ids: [String?] = []
        let losses = Journal()
        let source = endpoint.events(for: Feed()) { loss in
            losses.note(loss.error == nil ? "ended" : "failed")
        }
        for try await event in source {
            data.append(event.data)
            ids.append(event.id)
        }
        #expect(data == ["1", "2", "3", "4"])
        #expect(ids == ["a", "a", "a", "b"])
        #expect(
            server.requests.map { $0.header("Last-Event-ID") } == [nil, "a", "b", "b", "b"]
        )
        #expect(server.requests.allSatisfy { $0.header("Accept") == "text/event-stream" })
        #expect(server.requests.allSatisfy { $0.header("Cache-Control") == "no-cache" })
        losses.end()
        #expect(await losses.entries == ["ended", "failed", "failed", "ended"])
    }

    @Test("sends no last event ID that a header field can't carry")
    func unsendableID() async throws {
        server.enqueue(events("retry: 0\nid: a\u{1}b\ndata: 1\n\n"))
        server.enqueue(events("id: b\ndata: 2\n\n"))
        server.enqueue(.status(204))
        var ids: [String?] = []
        for try await event in endpoint.events(for: Feed()) { ids.append(event.id) }
        #expect(ids == ["a\u{1}b", "b"])
        #expect(server.requests.map { $0.header("Last-Event-ID") } == [nil, nil, "b"])
    }

    @Test("sends the request's last event ID until the server sets another one, or none")
    func requestedID() async throws {
        server.enqueue(events("retry: 0\ndata: 0\n\n"))
        server.enqueue(events("id\ndata: 1\n\n"))
        server.enqueue(events("id: a\u{1}\ndata: 2\n\n"))
        server.enqueue(.status(204))
        for try await _ in endpoint.events(for: Feed(headers: ["Last-Event-ID": "5"])) {}
        #expect(server.requests.map { $0.header("Last-Event-ID") } == ["5", "5", nil, nil])
    }

    @Test("sends the request's or the endpoint's Cache-Control instead of its default")
    func cacheControl() async throws {
        for _ in 1...2 { server.enqueue(.status(204)) }
        let request = Feed(headers: [.cacheControl: "max-age=0"])
        for try await _ in endpoint.events(for: request) {}
        endpoint.headers = [.cacheControl: "no-store"]
        for try await _ in endpoint.events(for: Feed()) {}
        #expect(server.requests.map { $0.header("Cache-Control") } == ["max-age=0", "no-store"])
    }

    /// Reads events of connections that are made again in no time: one for each text, then a 204.
    private func losses(
        of texts: [String],
        reconnectingAfter time: Duration = .seconds(3)
    ) async throws -> [LostConnection] {
        let clock = ManualClock()
        let rest = Locked(texts[...])
        let transport = ImmediateTransport { _ in
            guard let text = rest.withLock({ $0.popFirst() }) else { return .init(status: 204) }
            return .init(headers: [.contentType: "text/event-stream"], body: Data(text.utf8))
        }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport, clock: clock)
        // The clock may move by any time while a connection is open.
        endpoint.timeouts.idle = .seconds(1 << 33)
        let losses = Locked<[LostConnection]>([])
        let isOver = Locked(false)
        let reading = Task {
            defer { isOver.withLock { $0 = true } }
            let source = endpoint.events(for: Feed(), reconnectingAfter: time) { loss in
                losses.withLock { $0.append(loss) }
            }
            for try await _ in source {}
        }
        while !isOver.withLock({ $0 }), !Task.isCancelled {
            clock.advance(by: .seconds(30))
            await Task.yield()
        }
        if Task.isCancelled { reading.cancel() }
        try await reading.value
        return losses.withLock { $0 }
    }

    @Test("waits longer after each connection without an event, at least 100 milliseconds")
    func backoff() async throws {
        let (quiet, eventful) = ("retry: 0\n\n", "retry: 0\ndata: a\n\n")
        let losses = try await losses(of: [quiet, quiet, quiet, quiet, eventful, quiet, quiet])
        #expect(
            losses.map(\.delay) == [100, 200, 400, 800, 100, 100, 200].map { .milliseconds($0) }
        )
        #expect(losses.allSatisfy { $0.error == nil })
    }

    @Test(
        "stops when all requests are cancelled before or during a reconnection delay",
        arguments: [false, true]
    )
    func cancelledWait(isWaiting: Bool) async throws {
        let clock = ManualClock()
        let connections = Locked(0)
        let transport = ImmediateTransport { _ in
            let number = connections.withLock { count in
                count += 1
                return count
            }
            // Another connection would be told that there is nothing more.
            guard number == 1 else { return .init(status: 204) }
            return .init(headers: [.contentType: "text/event-stream"], body: Data())
        }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport, clock: clock)
        let (lost, sink) = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
            let source = endpoint.events(for: Feed()) { _ in
                if !isWaiting { endpoint.cancelAllRequests() }
                sink.yield()
            }
            var events = source.makeAsyncIterator()
            let error = await #expect(throws: StreamFailure.self) { try await events.next() }
            #expect(error?.isCancellation == true)
            return try await events.next()
        }
        for await _ in lost { break }
        if isWaiting {
            try await clock.waitForWaiters(1)
            endpoint.cancelAllRequests()
        }
        clock.advance(by: .seconds(30))
        #expect(try await reading.value == nil)
        #expect(connections.withLock { $0 } == 1)
    }

    @Test("uses the given reconnection delay until the server sets another")
    func firstTime() async throws {
        let texts = ["data: a\n\n", "data: b\n\nretry: 250\n\n", "data: c\n\n"]
        let losses = try await losses(of: texts, reconnectingAfter: .seconds(7))
        #expect(losses.map(\.delay) == [.seconds(7), .milliseconds(250), .milliseconds(250)])
        #expect(try await self.losses(of: ["data: a\n\n"]).map(\.delay) == [.seconds(3)])
    }

    @Test("stops at a success other than 200 and 204", arguments: [201, 205, 206, 210, 299])
    func statuses(code: Int) async throws {
        let status = HTTPStatus(rawValue: code)
        let transport = ImmediateTransport { _ in
            .init(status: status, headers: [.contentType: "text/event-stream"])
        }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport)
        do {
            for try await _ in endpoint.events(for: Feed()) {}
            Issue.record("no error")
        } catch StreamFailure.unexpectedStatus(let found) {
            #expect(found == status)
        }
    }

    @Test("accepts events up to 16 MiB, or up to a given size")
    func sizes() async throws {
        let text = String(repeating: "x", count: 2 << 20)
        server.route(nil, "/feed") { _ in events("data: \(text)\n\n") }
        var iterator = endpoint.events(for: Feed()).makeAsyncIterator()
        let isWhole = try await iterator.next()?.data == text
        #expect(isWhole)
        do {
            for try await _ in endpoint.events(for: Feed(), maximumEventSize: 1 << 20) {}
            Issue.record("no error")
        } catch StreamFailure.lineTooLong(let limit) {
            #expect(limit == 1 << 20)
        }
    }

    @Test("stops with the typed error of an unsuccessful response")
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

    @Test(
        "stops at a transport error that each connection would have",
        arguments: [
            TransportError.Kind.unsupported, .unsafeRedirect, .tooManyRedirects, .responseTooLarge,
        ]
    )
    func lastingError(kind: TransportError.Kind) async throws {
        let connections = Locked(0)
        let transport = ImmediateTransport { _ throws(TransportError) in
            let isFirst = connections.withLock { count in
                count += 1
                return count == 1
            }
            // Another connection would be told that there is nothing more.
            guard isFirst else { return .init(status: 204) }
            throw TransportError(kind)
        }
        let clock = ManualClock(skippingDelays: true)
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: transport,
            retryingCount: 0,
            clock: clock
        )
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            for try await _ in endpoint.events(for: Feed()) {}
        }
        #expect(error?.kind == .transport(kind))
        #expect(connections.withLock { $0 } == 1)
    }

    private struct Broken: Error {}

    @Test("stops at a request that no stub answers")
    func unmatched() async throws {
        #expect(try await cause(of: StubTransport()) is UnmatchedRequest)
    }

    @Test("stops at an error that a stub's closure throws")
    func brokenStub() async throws {
        let stub = StubTransport()
        stub.on(.get, "/feed") { _ in throw Broken() }
        #expect(try await cause(of: stub) is Broken)
    }

    /// What a source fails with that asks the stub once, and would have an answer the second time.
    private func cause(of stub: StubTransport) async throws -> (any Error)? {
        let clock = ManualClock(skippingDelays: true)
        let endpoint = Endpoint(baseURL: server.baseURL, transport: stub, clock: clock)
        let source = endpoint.events(for: Feed()) { _ in
            stub.on(.get, "/feed") { _ in .status(204) }
        }
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            for try await _ in source {}
        }
        guard case .transport(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return nil
        }
        #expect(stub.requests.count == 1)
        return failure.underlying
    }

    @Test("reads a stream whose Content-Type has a broken parameter")
    func brokenParameter() async throws {
        server.enqueue(
            .data(Data("retry: 1\ndata: 1\n\n".utf8), contentType: "text/event-stream; charset")
        )
        server.enqueue(.status(204))
        var found: [String] = []
        for try await event in endpoint.events(for: Feed()) { found.append(event.data) }
        #expect(found == ["1"])
    }

    @Test("stops at another Content-Type, and names it")
    func contentType() async throws {
        server.enqueue(.text("data: 1\n\n"))
        server.enqueue(.status(200))
        for found in ["text/plain; charset=utf-8", "missing"] {
            let error = await #expect(throws: UnexpectedContentType.self) {
                for try await _ in endpoint.events(for: Feed()) {}
            }
            #expect(error?.message == "the Content-Type is \(found), not text/event-stream")
        }
    }

    @Test("fails instead of reconnecting after the endpoint's shutdown")
    func shutdown() async throws {
        server.enqueue(events("data: 1\n\n"))
        let losses = Locked<[String]>([])
        let source = endpoint.events(for: Feed()) { loss in
            losses.withLock { $0.append("\(loss)") }
        }
        var events = source.makeAsyncIterator()
        #expect(try await events.next()?.data == "1")
        await endpoint.shutdown()
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await events.next()
        }
        #expect(error?.kind == .invalidRequest(.endpointShutDown))
        #expect(
            losses.withLock { $0 } == ["the server ended the response, reconnecting after 3 s"]
        )
        #expect(server.requests.count == 1)
    }

    @Test("stops when it is cancelled before the response", arguments: [false, true])
    func cancelledBefore(isTask: Bool) async throws {
        server.route(nil, "/feed") { _ in .fault(.stall) }
        let endpoint = endpoint
        let task = Task {
            for try await _ in endpoint.events(for: Feed()) {}
        }
        _ = try await server.waitForRequests(1)
        if isTask { task.cancel() } else { endpoint.cancelAllRequests() }
        let error = await #expect(throws: StreamFailure.self) { try await task.value }
        #expect(error?.isCancellation == true)
    }

    @Test("stops when the reading task is cancelled, even during a reconnection delay")
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
        await eventually { server.openConnectionCount == 0 || server.requests.count == 1 }
        task.cancel()
        let error = await #expect(throws: StreamFailure.self) { try await task.value }
        #expect(error?.isCancellation == true)
        #expect(server.requests.count == 1)
    }
}
