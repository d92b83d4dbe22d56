import Foundation
import NetKit
import NetKitPaging
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Endpoint shutdown", .timeLimit(.minutes(15)))
struct ShutdownScenarios {
    private struct Numbered: Request {
        typealias ResponseObjectType = String
        let number: Int
        var path: String { "number/\(number)" }
    }

    private let server: MockServer
    private let clock = ManualClock()
    private let endpoint: Endpoint
    private let gate = DispatchSemaphore(value: 0)

    init() throws {
        server = try MockServer()
        server.route(nil, "/text") { _ in .text("plain") }
        server.route(nil, "/never") { _ in .fault(.stall) }
        let gate = gate
        server.route(nil, "/wait") { _ in
            gate.wait()
            return .text("waited")
        }
        endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            clock: clock
        )
        endpoint.timeouts.idle = .seconds(86_400)
    }

    /// Begins a shutdown, and waits until it waits for calls in flight.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint; nil for that of the suite.
    ///   - deadline: The deadline.
    ///   - waiting: The number of deadlines that are set by then.
    /// - Returns: The task that shuts the endpoint down.
    /// - Throws: Nothing but for a clock that nobody waits for.
    private func beginShutdown(
        of endpoint: Endpoint? = nil,
        deadline: Duration = .seconds(30),
        waiting: Int = 2
    ) async throws -> Task<Void, Never> {
        let endpoint = endpoint ?? self.endpoint
        let task = Task { await endpoint.shutdown(deadline: deadline) }
        try await clock.waitForWaiters(waiting)
        return task
    }

    private func kind(of error: (any Error)?) -> FailureKind? {
        (error as? ErrorResponse<ServerMessage>)?.kind
    }

    private func failure(_ body: () async throws -> Void) async -> FailureKind? {
        do {
            try await body()
            return nil
        } catch {
            return kind(of: error)
        }
    }

    @Test("rejects each new call with a typed error, without sending")
    func newCalls() async throws {
        await endpoint.shutdown()
        let refused = FailureKind.invalidRequest(.endpointShutDown)
        let request = TextRequest(path: "text")
        for style in CallStyle.allCases {
            #expect(await style.outcome(of: request, on: endpoint).error?.kind == refused)
        }
        #expect(await failure { _ = try await endpoint.stream(request) } == refused)
        #expect(await failure { _ = try await endpoint.poll(request) } == refused)
        #expect(
            await failure { for try await _ in endpoint.events(for: request) {} } == refused
        )
        let batch = await endpoint.values(for: [request, request])
        #expect(batch.map(\.error?.kind) == [refused, refused])
        let started = await endpoint.execute([request]).results
        #expect(started.map(\.error?.kind) == [refused])
        #expect(server.requests.isEmpty)
        let message = await request.execute(on: endpoint).failure?.message
        #expect(message == "the endpoint is shut down")
    }

    @Test("reports a rejected call to its debug handlers, and doesn't start it")
    func rejectedOperation() async {
        await endpoint.shutdown()
        let infos = Locked<[DebugInfo]>([])
        let journal = Journal()
        let operation = TextRequest(path: "text").execute(on: endpoint)
            .onDebug { info in infos.withLock { $0.append(info) } }
        await operation.delivered()
        operation.onStart { journal.note("start") }.onFail { _ in journal.end() }
        let refused = FailureKind.invalidRequest(.endpointShutDown)
        #expect(infos.withLock { $0 }.map { kind(of: $0.errorResponse) } == [refused])
        #expect(await journal.entries == [])
    }

    @Test("waits for calls in flight with their retries and token refresh")
    func callsInFlight() async throws {
        server.route(nil, "/token") { _ in .text("new") }
        endpoint.retryPolicy.backoff = .none
        endpoint.authentication = BearerAuthentication(token: "old") { _, endpoint in
            try await endpoint.value(for: TextRequest(path: "token"))
        }
        let gate = gate
        server.route(nil, "/secret") { request in
            switch request.header("Authorization") {
            case "Bearer old":
                gate.wait()
                return .status(401)
            default: return .text("secret")
            }
        }
        let operation = TextRequest(path: "secret").execute(on: endpoint).onSuccess { _ in }
        try await server.waitForRequests(1)
        let shutdown = try await beginShutdown()
        #expect(
            await TextRequest(path: "text").execute(on: endpoint).failure?.kind
                == .invalidRequest(.endpointShutDown)
        )
        server.enqueue(.status(503))
        gate.signal()
        #expect(try await operation.value == "secret")
        await shutdown.value
        #expect(server.requests.map(\.path) == ["/secret", "/token", "/token", "/secret"])
    }

    @Test("lets a batch in flight send all of its requests")
    func batch() async throws {
        let gate = gate
        for number in 1...3 {
            server.route(nil, "/number/\(number)") { _ in
                if number == 1 { gate.wait() }
                return .text("\(number)")
            }
        }
        let batch = endpoint.execute(
            (1...3).map { Numbered(number: $0) },
            maximumConcurrentRequests: 1
        )
        try await server.waitForRequests(1)
        let shutdown = try await beginShutdown()
        gate.signal()
        #expect(await batch.results.map { try? $0.get() } == ["1", "2", "3"])
        await shutdown.value
    }

    @Test("cancels all requests of a batch at the deadline, sent or not")
    func batchAtDeadline() async throws {
        let requests = (1...10).map { _ in TextRequest(path: "never") }
        let batch = endpoint.execute(requests, maximumConcurrentRequests: 2)
        try await server.waitForRequests(2)
        await endpoint.shutdown(deadline: .zero)
        let kinds = await batch.results.map(\.error?.kind)
        #expect(kinds == [FailureKind?](repeating: .cancelled, count: 10))
        #expect(server.requests.count == 2)
    }

    @Test("ends polling at its next request")
    func polling() async throws {
        server.route(nil, "/text") { _ in .status(202).header("Retry-After", "60") }
        let endpoint = endpoint
        let journal = Journal()
        endpoint.observation.register(for: [202]) { _ in journal.note("202") }
        let polling = Task { try await endpoint.poll(TextRequest(path: "text")).value }
        #expect(await journal.count(of: "202", upTo: 1) == 1)
        // That of the pause.
        try await clock.waitForWaiters(1)
        let shutdown = try await beginShutdown(deadline: .seconds(3600))
        clock.advance(by: .seconds(60))
        #expect(
            await failure { _ = try await polling.value } == .invalidRequest(.endpointShutDown)
        )
        await shutdown.value
        #expect(server.requests.count == 1)
    }

    @Test("cancels calls in flight at the deadline, and none before")
    func deadline() async throws {
        let operation = TextRequest(path: "never").execute(on: endpoint).onSuccess { _ in }
        try await server.waitForRequests(1)
        let shutdown = try await beginShutdown(deadline: .seconds(30))
        clock.advance(by: .seconds(29))
        // The call and the shutdown still wait.
        #expect(clock.waiterCount == 2)
        clock.advance(by: .seconds(1))
        #expect(await operation.failure?.kind == .cancelled)
        await shutdown.value
        try await server.waitForClientClose()
    }

    @Test("counts a stream as in flight until its last byte")
    func stream() async throws {
        server.route(nil, "/feed") { _ in .text("begun").stalling(afterBodyBytes: 3) }
        let isOver = Locked(false)
        let endpoint = endpoint
        func read() async throws -> Task<Void, Never> {
            let stream = try await endpoint.stream(TextRequest(path: "feed"))
            let shutdown = Task {
                await endpoint.shutdown()
                isOver.withLock { $0 = true }
            }
            try await clock.waitForWaiters(2)
            for try await chunk in stream {
                #expect(String(decoding: chunk, as: UTF8.self).hasPrefix("b"))
                #expect(!isOver.withLock { $0 })
                break
            }
            return shutdown
        }
        // The deadline never passes: the shutdown ends with the stream, which is released.
        await (try read()).value
        #expect(isOver.withLock { $0 })
    }

    @Test("cancels a stream that is open at the deadline")
    func openStream() async throws {
        server.route(nil, "/feed") { _ in .text("begun").stalling(afterBodyBytes: 3) }
        let stream = try await endpoint.stream(TextRequest(path: "feed"))
        await endpoint.shutdown(deadline: .zero)
        do {
            for try await _ in stream {}
            Issue.record("the stream came to its end")
        } catch {
            #expect((error as? any CallError)?.isCancellation == true)
        }
    }

    @Test("cancels calls in flight when the waiting task is cancelled")
    func cancelledShutdown() async throws {
        let operation = TextRequest(path: "never").execute(on: endpoint).onSuccess { _ in }
        try await server.waitForRequests(1)
        let shutdown = try await beginShutdown()
        shutdown.cancel()
        await shutdown.value
        #expect(await operation.failure?.kind == .cancelled)
        #expect(
            await TextRequest(path: "text").execute(on: endpoint).failure?.kind
                == .invalidRequest(.endpointShutDown)
        )
    }

    @Test("can be requested several times, and uses the earliest deadline")
    func repeated() async throws {
        let operation = TextRequest(path: "never").execute(on: endpoint).onSuccess { _ in }
        try await server.waitForRequests(1)
        let late = try await beginShutdown(deadline: .seconds(3600))
        let early = try await beginShutdown(deadline: .seconds(5), waiting: 3)
        clock.advance(by: .seconds(5))
        #expect(await operation.failure?.kind == .cancelled)
        await late.value
        await early.value
        await endpoint.shutdown()
    }

    @Test("includes derived endpoints, and only its own calls for a derived endpoint")
    func derived() async throws {
        let (one, other) = (endpoint.derived { _ in }, endpoint.derived { _ in })
        let request = TextRequest(path: "text")
        await one.shutdown()
        #expect(await request.execute(on: one).failure?.kind == .invalidRequest(.endpointShutDown))
        #expect(try await other.value(for: request) == "plain")
        #expect(try await endpoint.value(for: request) == "plain")
        let operation = TextRequest(path: "wait").execute(on: other).onSuccess { _ in }
        try await server.waitForRequests(3)
        let shutdown = try await beginShutdown()
        #expect(
            await request.execute(on: other).failure?.kind == .invalidRequest(.endpointShutDown)
        )
        gate.signal()
        #expect(try await operation.value == "waited")
        await shutdown.value
    }
}
