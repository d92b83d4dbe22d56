import Foundation
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit

@Suite("JSON lines over several connections", .timeLimit(.minutes(15)))
struct JSONLineScenarios {
    private struct Change: Codable, Equatable, Sendable {
        let revision: Int
    }

    private struct Watch: Request {
        typealias ResponseObjectType = Change
        let path = "watch"
        @Query("from") var revision = 1
    }

    private struct NoMore: Error {}

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    private func lines(_ text: String) -> MockResponse {
        .data(Data(text.utf8), contentType: "application/x-ndjson")
    }

    private static func line(_ revisions: Int...) -> String {
        revisions.map { #"{"revision":\#($0)}"# + "\n" }.joined()
    }

    /// Reads all lines; the delays between connections take no time.
    private func read(
        _ connections: [StubResponse],
        after delay: Duration = .seconds(3),
        resuming: @escaping @Sendable (Change) throws -> Watch? = {
            Watch(revision: $0.revision + 1)
        }
    ) async throws -> Reading {
        let clock = ManualClock()
        let rest = Locked(connections[...])
        let sent = Locked<[String]>([])
        let transport = ImmediateTransport { request in
            sent.withLock { $0.append(request.url.query ?? "") }
            guard let next = rest.withLock({ $0.popFirst() }) else { return .init(status: 204) }
            return .init(status: next.status, body: Data(next.text.utf8))
        }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport, clock: clock)
        endpoint.retryPolicy = .never
        // The clock may move by any time while a connection is open.
        endpoint.timeouts.idle = .seconds(1 << 33)
        let losses = Locked<[LostConnection]>([])
        let revisions = Locked<[Int]>([])
        let isOver = Locked(false)
        let reading = Task {
            defer { isOver.withLock { $0 = true } }
            let changes = endpoint.jsonLines(
                for: Watch(),
                reconnectingAfter: delay,
                onLostConnection: { loss in losses.withLock { $0.append(loss) } },
                resuming: resuming
            )
            do {
                for try await change in changes {
                    revisions.withLock { $0.append(change.revision) }
                }
                return (any Error)?.none
            } catch {
                return error
            }
        }
        while !isOver.withLock({ $0 }), !Task.isCancelled {
            clock.advance(by: .seconds(30))
            await Task.yield()
        }
        if Task.isCancelled { reading.cancel() }
        let failure = await reading.value
        return Reading(
            revisions: revisions.withLock { $0 },
            queries: sent.withLock { $0 },
            losses: losses.withLock { $0 },
            failure: failure
        )
    }

    private struct StubResponse {
        var status: HTTPStatus = .ok
        var text = ""
    }

    private struct Reading {
        let revisions: [Int]
        let queries: [String]
        let losses: [LostConnection]
        let failure: (any Error)?
    }

    @Test("resumes after the last value with the caller's request, until a 204")
    func resumed() async throws {
        server.enqueue(lines(Self.line(1, 2) + "\n \n" + Self.line(3)))
        // A transfer that breaks off, within a line and before the head.
        server.enqueue(lines(Self.line(4, 5)).cutting(afterBodyBytes: 20))
        server.enqueue(.fault(.closeBeforeHead))
        server.enqueue(lines(Self.line(5)))
        server.enqueue(.status(204))
        let losses = Journal()
        let changes = endpoint.jsonLines(
            for: Watch(),
            reconnectingAfter: .zero,
            onLostConnection: { losses.note($0.error == nil ? "ended" : "failed") },
            resuming: { Watch(revision: $0.revision + 1) }
        )
        var revisions: [Int] = []
        for try await change in changes { revisions.append(change.revision) }
        #expect(revisions == [1, 2, 3, 4, 5])
        #expect(
            server.requests.map(\.target)
                == [1, 4, 5, 5, 6].map { "/watch?from=\($0)" }
        )
        losses.end()
        #expect(await losses.entries == ["ended", "failed", "failed", "ended"])
    }

    @Test("waits longer after each connection without a value, at least 100 milliseconds")
    func backoff() async throws {
        let (quiet, eventful) = (StubResponse(), StubResponse(text: Self.line(7)))
        let reading = try await read([quiet, quiet, quiet, eventful, quiet, quiet], after: .zero)
        #expect(reading.failure == nil && reading.revisions == [7])
        #expect(
            reading.losses.map(\.delay) == [100, 200, 400, 100, 100, 200].map { .milliseconds($0) }
        )
        #expect(reading.queries == [1, 1, 1, 1, 8, 8, 8].map { "from=\($0)" })
        let later = try await read([quiet, quiet, quiet, quiet, quiet])
        #expect(later.losses.map(\.delay) == [3, 6, 12, 24, 30].map { .seconds($0) })
    }

    @Test(
        "treats a truncated last line as a lost connection, and a complete one as a value"
    )
    func cutLine() async throws {
        let cut = StubResponse(text: Self.line(1) + #"{"revis"#)
        let reading = try await read([cut, StubResponse(text: #"{"revision":2}"#)])
        #expect(reading.failure == nil && reading.revisions == [1, 2])
        #expect(reading.queries == ["from=1", "from=2", "from=3"])
        #expect(reading.losses.map { $0.error == nil } == [false, true])
    }

    @Test("ends at a line that doesn't decode", arguments: ["nonsense\n", "{}\n", "{}"])
    func undecodable(line: String) async throws {
        let reading = try await read([StubResponse(text: Self.line(1) + line)])
        #expect(reading.failure is DecodingFailure)
        #expect(reading.revisions == [1] && reading.queries == ["from=1"])
        #expect(reading.losses.isEmpty)
    }

    @Test("ends with the typed error of an unsuccessful response")
    func refused() async throws {
        let reading = try await read([StubResponse(text: Self.line(1)), StubResponse(status: 410)])
        let failure = reading.failure as? ErrorResponse<ServerMessage>
        #expect(failure?.statusCode == 410)
        #expect(reading.queries == ["from=1", "from=2"])
    }

    @Test(
        "ends without a request to resume with, or when the closure throws",
        arguments: [true, false]
    )
    func ended(isThrowing: Bool) async throws {
        let reading = try await read([StubResponse(text: Self.line(1, 2))]) { last in
            #expect(last.revision == 2)
            if isThrowing { throw NoMore() }
            return nil
        }
        #expect(reading.revisions == [1, 2] && reading.queries == ["from=1"])
        #expect((reading.failure is NoMore) == isThrowing)
        #expect(reading.losses.isEmpty)
    }

    @Test("ends when all requests are cancelled before the response")
    func cancelledBefore() async throws {
        server.enqueue(.fault(.stall))
        let endpoint = endpoint
        let reading = Task {
            for try await _ in endpoint.jsonLines(for: Watch(), resuming: { _ in nil }) {}
        }
        _ = try await server.waitForRequests(1)
        endpoint.cancelAllRequests()
        let error = await #expect(throws: StreamFailure.self) { try await reading.value }
        #expect(error?.isCancellation == true)
    }

    @Test("ends when all requests are cancelled during a delay")
    func cancelled() async throws {
        let clock = ManualClock()
        let transport = ImmediateTransport { _ in .init(body: Data(Self.line(1).utf8)) }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport, clock: clock)
        let (firsts, first) = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
            var changes = endpoint.jsonLines(for: Watch()) { _ in Watch() }.makeAsyncIterator()
            #expect(try await changes.next() == Change(revision: 1))
            first.finish()
            let error = await #expect(throws: StreamFailure.self) { try await changes.next() }
            #expect(error?.isCancellation == true)
            return try await changes.next()
        }
        // The connection has timers, too, which begin before its first line.
        for await _ in firsts {}
        try await clock.waitForWaiters(1)
        endpoint.cancelAllRequests()
        #expect(try await reading.value == nil)
    }

    @Test("yields values while the connection is open")
    func open() async throws {
        let text = Self.line(1, 2)
        server.enqueue(lines(text + Self.line(3)).stalling(afterBodyBytes: text.utf8.count))
        var revisions: [Int] = []
        for try await change in endpoint.jsonLines(for: Watch(), resuming: { _ in nil }) {
            revisions.append(change.revision)
            if revisions.count == 2 { break }
        }
        #expect(revisions == [1, 2] && server.requests.count == 1)
    }
}
