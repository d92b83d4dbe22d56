import Dispatch
import Foundation
import NetKitTesting
import Testing

@testable import NetKit
import NetKitSupport

@Suite("Flow control", .timeLimit(.minutes(15)))
struct FlowScenarios {
    private struct Text: Request {
        typealias ResponseObjectType = String
        let path: String
        var priority = RequestPriority.normal
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/*") { request in .text(request.path) }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 1)
    }

    @Test("sends requests up to the limit, higher priorities first")
    func limit() async throws {
        endpoint.maximumConcurrentRequests = 1
        let gate = DispatchSemaphore(value: 0)
        server.route(nil, "/first") { request in
            gate.wait()
            return .text(request.path)
        }
        let first = Text(path: "first").execute(on: endpoint).onSuccess { _ in }
        _ = try await server.waitForRequests(1)
        let low = Text(path: "low", priority: .low).execute(on: endpoint).onSuccess { _ in }
        let high = Text(path: "high", priority: .high).execute(on: endpoint).onSuccess { _ in }
        await eventually { endpoint.gate.queued(.call) == 2 }
        gate.signal()
        #expect(await first.failure == nil)
        #expect(await high.failure == nil)
        #expect(await low.failure == nil)
        #expect(server.requests.map(\.path) == ["/first", "/high", "/low"])
    }

    @Test("cancels or times out a queued call without sending it")
    func waiting() async throws {
        endpoint.maximumConcurrentRequests = 1
        server.enqueue(.fault(.stall))
        let stalled = Text(path: "stalled").execute(on: endpoint).onSuccess { _ in }
        _ = try await server.waitForRequests(1)
        let cancelled = Text(path: "cancelled").execute(on: endpoint).onSuccess { _ in }
        let late = Text(path: "late").execute(on: endpoint).deadline(after: .milliseconds(30))
        #expect(await late.failure?.kind == .timeout(.total))
        cancelled.cancel()
        #expect(await cancelled.failure?.kind == .cancelled)
        endpoint.maximumConcurrentRequests = 2
        #expect(try await endpoint.value(for: Text(path: "next")) == "/next")
        stalled.cancel()
        _ = await stalled.failure
        #expect(server.requests.map(\.path) == ["/stalled", "/next"])
    }

    @Test("holds other calls to a host that sent Retry-After")
    func pause() async throws {
        server.enqueue(.status(503).header("Retry-After", "1"))
        let start = ContinuousClock.now
        let first = Text(path: "first").execute(on: endpoint).onSuccess { _ in }
        _ = try await server.waitForRequests(1)
        await eventually { !first.history.isEmpty }
        async let second = endpoint.value(for: Text(path: "second"))
        async let third = endpoint.value(for: Text(path: "third"))
        let values = try await [second, third]
        #expect(values == ["/second", "/third"])
        #expect(ContinuousClock.now - start > .milliseconds(950))
        #expect(try await first.value == "/first")
    }

    @Test("holds other calls also after one that isn't retried, unless no call ever is")
    func pauseWithoutRetry() async throws {
        let clock = ManualClock()
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            retryingCount: 1,
            clock: clock
        )
        let post = TextRequest(path: "first", method: .post)
        for isRetrying in [true, false] {
            if !isRetrying { endpoint.retryPolicy = .never }
            server.enqueue(.status(503).header("Retry-After", "5"))
            let error = await CallStyle.async.outcome(of: post, on: endpoint).error
            #expect(error?.kind == .server(503))
            let isOver = Locked(!isRetrying)
            server.route(nil, "/second") { _ in .text("\(isOver.withLock { $0 })") }
            let second = Text(path: "second").execute(on: endpoint).onSuccess { _ in }
            if isRetrying {
                try await clock.waitForWaiters(1)
                #expect(server.requests.allSatisfy { $0.path != "/second" })
                isOver.withLock { $0 = true }
                clock.advance(by: .seconds(5))
            }
            #expect(try await second.value == "true")
        }
    }
}
