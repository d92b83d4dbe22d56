import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Streams", .timeLimit(.minutes(15)))
struct StreamScenarios {
    private struct Feed: Request {
        typealias ResponseObjectType = Void
        var path = "feed"
        var timeout: TimeInterval?
        var decoder: JSONDecoder?
    }

    private struct AnyName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL)
    }

    @Test("returns the head before the body arrives, then the body")
    func headFirst() async throws {
        let chunks = ["one", "two"].map { Data($0.utf8) }
        server.route(nil, "/feed") { _ in
            .chunked(chunks, every: .milliseconds(50)).header("X-Kind", "feed")
        }
        let stream = try await endpoint.stream(Feed())
        #expect(stream.status == .ok)
        #expect(stream.headers["X-Kind"] == "feed")
        var body = Data()
        for try await chunk in stream { body += chunk }
        #expect(body == Data("onetwo".utf8))
    }

    @Test("decodes JSON values with the call's, the request's or the endpoint's decoder")
    func jsonLineDecoders() async throws {
        struct Line: Decodable, Sendable { let unitPrice: Int }
        func keys(_ convert: @escaping @Sendable (String) -> String) -> JSONDecoder {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .custom { path in
                AnyName(convert(path.last?.stringValue ?? ""))
            }
            return decoder
        }
        server.route(nil, "/feed") { _ in .text("{\"a\":1,\"b\":2,\"c\":3,\"unitPrice\":4}\n") }
        let names = ["a", "b", "c"]
            .map { name in
                keys { $0 == name ? "unitPrice" : $0 == "unitPrice" ? "other" : $0 }
            }
        func price(_ feed: Feed, _ decoder: JSONDecoder? = nil) async throws -> Int? {
            let stream = try await endpoint.stream(feed)
            for try await line in stream.jsonLines(of: Line.self, decoder: decoder) {
                return line.unitPrice
            }
            return nil
        }
        #expect(try await price(Feed()) == 4)
        endpoint.decoder = names[0]
        #expect(try await price(Feed()) == 1)
        #expect(try await price(Feed(decoder: names[1])) == 2)
        #expect(try await price(Feed(decoder: names[1]), names[2]) == 3)
    }

    @Test(
        "ends JSON values with a decoding failure at an invalid line",
        arguments: [
            (#"{"id":"x"}"#, "line 3: id: expected Int, found a string (decoding Item)"),
            (#"{"id":"#, "line 3 is not JSON: unexpected end at byte 6 (decoding Item)"),
        ]
    )
    func jsonLineFailures(line: String, expected: String) async throws {
        server.route(nil, "/feed") { _ in .text("{\"id\":1}\n\n\(line)\n{\"id\":2}\n") }
        var items: [Item] = []
        let failure = await #expect(throws: DecodingFailure.self) {
            for try await item in try await endpoint.stream(Feed()).jsonLines(of: Item.self) {
                items.append(item)
            }
        }
        #expect(failure?.description == expected)
        #expect(items == [Item(id: 1)])
    }

    @Test("rejects invalid UTF-8 in JSON lines")
    func jsonLineBytes() async throws {
        let line = Data("[\"".utf8) + Data([0xFF]) + Data("\"]\n".utf8)
        server.route(nil, "/feed") { _ in .data(line, contentType: "application/x-ndjson") }
        await #expect(throws: DecodingFailure.self) {
            for try await _ in try await endpoint.stream(Feed()).jsonLines(of: [String].self) {}
        }
    }

    @Test("yields lines, JSON values and events as they arrive")
    func views() async throws {
        server.route(nil, "/feed") { _ in
            .text("{\"id\":1}\r\n\n{\"id\":2}").dripping(bytes: 3, every: .milliseconds(2))
        }
        var lines: [String] = []
        for try await line in try await endpoint.stream(Feed()).lines { lines.append(line) }
        #expect(lines == [#"{"id":1}"#, "", #"{"id":2}"#])
        var items: [Item] = []
        for try await item in try await endpoint.stream(Feed()).jsonLines(of: Item.self) {
            items.append(item)
        }
        #expect(items == [Item(id: 1), Item(id: 2)])
        server.route(nil, "/feed") { _ in
            .text("event: add\ndata: 1\n\ndata: 2\n\n").dripping(bytes: 4, every: .milliseconds(2))
        }
        var events: [ServerSentEvent] = []
        for try await event in try await endpoint.stream(Feed()).serverSentEvents {
            events.append(event)
        }
        #expect(
            events == [ServerSentEvent(event: "add", data: "1"), ServerSentEvent(data: "2")]
        )
    }

    @Test("fails with the typed error and its body when rejected")
    func refused() async throws {
        server.route(nil, "/feed") { _ in .json(text: #"{"message":"no"}"#, status: 403) }
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await endpoint.stream(Feed())
            Issue.record("no error")
        } catch {
            #expect(error.statusCode == 403)
            #expect(error.message == "no")
        }
        server.route(nil, "/moved") { _ in .redirect(to: "/other") }
        server.route(nil, "/other") { _ in .text("there") }
        var lines: [String] = []
        for try await line in try await endpoint.stream(Feed(path: "moved")).lines {
            lines.append(line)
        }
        #expect(lines == ["there"])
    }

    private func endless() {
        let chunks = Array(repeating: Data("tick\n".utf8), count: 100_000)
        server.route(nil, "/feed") { _ in .chunked(chunks, every: .milliseconds(5)) }
    }

    @Test("closes the connection when the loop exits or the stream is released")
    func leaving() async throws {
        endless()
        let stream = try await endpoint.stream(Feed())
        for try await line in stream.lines {
            #expect(line == "tick")
            break
        }
        try await server.waitUntilDisconnected()
        withExtendedLifetime(stream) {}
        _ = try await endpoint.stream(Feed())
        try await server.waitUntilDisconnected()
    }

    @Test("closes the connection when the reading task is cancelled")
    func cancelling() async throws {
        endless()
        let stream = try await endpoint.stream(Feed())
        let (reads, sink) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for try await _ in stream { sink.yield() }
        }
        for await _ in reads { break }
        task.cancel()
        let error = await #expect(throws: StreamFailure.self) { try await task.value }
        #expect(error?.isCancellation == true)
        try await server.waitUntilDisconnected()
    }

    @Test("can be cancelled while it waits for its head")
    func cancelledBefore() async throws {
        server.route(nil, "/feed") { _ in .fault(.stall) }
        let endpoint = endpoint
        let task = Task { () -> FailureKind? in
            do throws(ErrorResponse<ServerMessage>) {
                _ = try await endpoint.stream(Feed())
                return nil
            } catch {
                return error.kind
            }
        }
        _ = try await server.waitForRequests(1)
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("reports a lost connection without a retry")
    func broken() async throws {
        server.route(nil, "/feed") { _ in
            .text("half and half").cutting(afterBodyBytes: 4)
        }
        let seen = Journal()
        endpoint.observation.register(for: Feed.self) { _, result in
            guard case .failure(let error) = result else { return }
            seen.note(error.kind == .transport(.truncatedResponse) ? "lost" : "\(error.kind)")
        }
        let stream = try await endpoint.stream(Feed())
        var body = Data()
        do {
            for try await chunk in stream { body += chunk }
            Issue.record("no error")
        } catch StreamFailure.transport(let error) {
            #expect(error.kind == .truncatedResponse)
        }
        #expect(body == Data("half".utf8))
        #expect(server.requests.count == 1)
        #expect(await seen.count(of: "lost", upTo: 1) == 1)
    }

    @Test("times out when idle")
    func silent() async throws {
        server.route(nil, "/feed") { _ in .text("half and half").stalling(afterBodyBytes: 4) }
        let clock = ManualClock()
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            clock: clock
        )
        let stream = try await endpoint.stream(Feed(timeout: 0.2))
        var chunks = stream.makeAsyncIterator()
        var body = Data()
        while body.count < 4 { body += try #require(try await chunks.next()) }
        clock.advance(by: .milliseconds(200))
        do {
            _ = try await chunks.next()
            Issue.record("no error")
        } catch StreamFailure.timeout(let phase) {
            #expect(phase == .idle)
        }
    }

    @Test("fails an unread stream beyond the buffer limit, or applies backpressure")
    func slow() async throws {
        server.route(nil, "/feed") { _ in .data(Data(count: 40 << 20)).closingConnection() }
        guard TransportUnderTest.limits.contains(.holdingBack) else { return try await heldBack() }
        let stream = try await endpoint.stream(Feed())
        await eventually { server.openConnectionCount == 0 }
        var count = 0
        do {
            for try await chunk in stream { count += chunk.count }
            Issue.record("no error after \(count) bytes")
        } catch StreamFailure.readerTooSlow(let buffered) {
            #expect(buffered <= 16 << 20)
        }
        #expect(count <= 17 << 20, "\(count)")
    }

    private func heldBack() async throws {
        let stream = try await endpoint.stream(Feed())
        var count = 0
        for try await chunk in stream { count += chunk.count }
        #expect(count == 40 << 20)
        #expect(server.requests.count == 1)
    }

    @Test("ends as a failure for observers, too, when the server refuses the rest")
    func restRefused() async throws {
        guard TransportUnderTest.limits.contains(.holdingBack) else { return }
        let content = Data(count: 40 << 20)
        server.route(nil, "/feed") { request in
            request.header("Range") == nil
                ? .resource(content, for: request, eTag: "\"v1\"") : .status(503)
        }
        let (ends, ended) = AsyncStream.makeStream(of: String?.self)
        endpoint.observation.registerEvents { event in
            if case .finished(let reason) = event.kind { ended.yield(reason) }
        }
        let (parts, part) = AsyncStream.makeStream(of: Void.self)
        endpoint.observation.registerExchanges { _ in part.yield() }
        let stream = try await endpoint.stream(Feed())
        for await _ in parts { break }
        await #expect(throws: StreamFailure.self) { for try await _ in stream {} }
        for await reason in ends {
            #expect(reason?.contains("behind the server") == true, "\(reason ?? "success")")
            break
        }
        #expect(server.requests.count == 2)
    }

    @Test("resumes an unread stream when the server supports ranges")
    func slowAndResumed() async throws {
        let block = patterned(1 << 16)
        // No two megabytes are the same.
        let content = (0..<40)
            .reduce(into: Data()) { content, megabyte in
                content.append(UInt8(megabyte))
                for _ in 0..<16 { content += block }
            }
        server.route(nil, "/feed") { request in
            .resource(content, for: request, eTag: "\"v1\"").throttled(bytesPerSecond: 200 << 20)
        }
        let attempts = Locked<[Int]>([])
        endpoint.observation.registerEvents { event in
            if case .attemptStarted(let number) = event.kind {
                attempts.withLock { $0.append(number) }
            }
        }
        let exchanges = Locked(0)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        endpoint.observation.registerExchanges { _ in
            exchanges.withLock { $0 += 1 }
            ended.yield()
        }
        let stream = try await endpoint.stream(Feed())
        let isResumed = TransportUnderTest.limits.contains(.holdingBack)
        // Not the end of the connection: the engine may have received all before it is canceled.
        if isResumed { for await _ in ends { break } }
        var received = Data()
        for try await chunk in stream { received += chunk }
        #expect(received == content)
        #expect(isResumed ? server.requests.count > 1 : server.requests.count == 1)
        #expect(server.requests.dropFirst().allSatisfy { $0.header("If-Range") == "\"v1\"" })
        // One attempt, with an exchange for each part.
        #expect(attempts.withLock { $0 } == [1])
        await eventually { exchanges.withLock { $0 } == server.requests.count }
    }
}
