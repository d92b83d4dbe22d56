import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Manual clock", .timeLimit(.minutes(15)))
struct ManualClockScenarios {
    private let server: MockServer
    private let clock = ManualClock()
    private let endpoint: Endpoint
    private let request = TextRequest(path: "text", method: .get)

    init() throws {
        server = try MockServer()
        server.route(nil, "/text") { _ in .text("plain") }
        endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            clock: clock
        )
    }

    @Test("ends a Retry-After delay of an hour on time, and never before")
    func retryAfter() async throws {
        endpoint.retryPolicy.maximumRetryAfter = .seconds(3600)
        server.enqueue(.status(503).header("Retry-After", "3600"))
        let operation = request.execute(on: endpoint).onSuccess { _ in }
        await eventually { !operation.history.isEmpty }
        try await clock.waitForWaiters(1)
        clock.advance(by: .seconds(3599))
        // Whoever is woken has left the clock by now.
        #expect(clock.waiterCount > 0)
        clock.advance(by: .seconds(1))
        #expect(try await operation.value == "plain")
        #expect(operation.history.first?.next == .retry(after: .seconds(3600)))
    }

    @Test("allows as many retries as before after calls that are canceled in their delays")
    func unsentRetries() async throws {
        endpoint.retryPolicy = RetryPolicy(maximumRetries: 1, backoff: .constant(.seconds(5)))
        server.route(nil, "/text") { _ in .status(503) }
        for _ in 0..<21 {
            let operation = request.execute(on: endpoint).onSuccess { _ in }
            await eventually { !operation.history.isEmpty }
            #expect(operation.history.first?.next == .retry(after: .seconds(5)))
            operation.cancel()
            #expect(await operation.failure?.kind == .cancelled)
        }
    }

    @Test("doesn't change the recorded start of an exchange")
    func dates() async throws {
        let exchanges = Locked<[ObservedExchange]>([])
        endpoint.observation.registerExchanges { exchange in
            exchanges.withLock { $0.append(exchange) }
        }
        server.route(nil, "/text") { _ in .fault(.stall) }
        endpoint.retryPolicy = .never
        let start = Date()
        let operation = request.execute(on: endpoint).timeout(after: .seconds(86_400))
            .onSuccess { _ in }
        _ = try await server.waitForRequests(1)
        clock.advance(by: .seconds(86_400))
        #expect(await operation.failure?.kind == .timeout(.idle))
        let exchange = try #require(exchanges.withLock { $0 }.first)
        #expect((start...Date()).contains(exchange.start))
        #expect(exchange.duration == .seconds(86_400))
    }

    @Test("fires an idle and a total deadline instantly")
    func deadlines() async throws {
        server.route(nil, "/text") { _ in .fault(.stall) }
        endpoint.retryPolicy = .never
        let idle = request.execute(on: endpoint).timeout(after: .seconds(86_400)).onSuccess { _ in }
        _ = try await server.waitForRequests(1)
        clock.advance(by: .seconds(86_399))
        #expect(clock.waiterCount > 0)
        clock.advance(by: .seconds(1))
        #expect(await idle.failure?.kind == .timeout(.idle))
        let total = request.execute(on: endpoint).deadline(after: .seconds(30)).onSuccess { _ in }
        _ = try await server.waitForRequests(2)
        clock.advance(by: .seconds(30))
        #expect(await total.failure?.kind == .timeout(.total))
    }

    @Test(
        "skips a delay that ends at the deadline or later, and fails with the last failure",
        arguments: [(49, true), (50, true), (51, false)]
    )
    func cutWait(seconds: Int, isCut: Bool) async throws {
        server.enqueue(.status(503).header("Retry-After", "50"))
        let operation = request.execute(on: endpoint).deadline(after: .seconds(seconds))
            .onFail { _ in }
        await eventually { !operation.history.isEmpty }
        let next = operation.history.map(\.next)
        #expect(next == [isCut ? .stop(.deadlineTooClose) : .retry(after: .seconds(50))])
        if next == [.retry(after: .seconds(50))] { operation.cancel() }
        #expect(await operation.failure?.kind == (isCut ? .server(503) : .cancelled))
    }
}
