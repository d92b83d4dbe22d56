import Foundation
import NetKitTesting
import Testing

@testable import NetKit

@Suite("Derived endpoint", .timeLimit(.minutes(15)))
struct DerivedEndpointScenarios {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/x") { request in .text(request.header("Authorization") ?? "nobody") }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    @Test("starts with its parent's settings and credential, then keeps its own")
    func settings() async throws {
        endpoint.headers["X-App"] = "app"
        let alice = endpoint.derived {
            $0.authentication = BasicAuthentication(username: "a", password: "b")
        }
        let bob = endpoint.derived { $0.headers["X-App"] = "bob" }
        endpoint.headers["X-App"] = "later"
        let values = try await [
            alice.value(for: TextRequest(path: "x")), bob.value(for: TextRequest(path: "x")),
            endpoint.value(for: TextRequest(path: "x")),
        ]
        #expect(values == ["Basic YTpi", "nobody", "nobody"])
        #expect(server.requests.map { $0.header("X-App") } == ["app", "bob", "later"])
        #expect(alice.authentication != nil && endpoint.authentication == nil)
        #expect(alice.baseURL == endpoint.baseURL)
    }

    @Test("shares its parent's limit on requests in flight")
    func admission() async throws {
        endpoint.maximumConcurrentRequests = 1
        let gate = DispatchSemaphore(value: 0)
        server.route(nil, "/wait") { _ in
            gate.wait()
            return .text("done")
        }
        let derived = [endpoint.derived { _ in }, endpoint.derived { _ in }]
        let operations = derived.map {
            TextRequest(path: "wait").execute(on: $0).onSuccess { _ in }
        }
        await eventually { endpoint.gate.queued(.call) == 1 }
        #expect(endpoint.gate.queued(.call) == 1)
        for _ in 0..<2 { gate.signal() }
        for operation in operations { #expect(try await operation.value == "done") }
    }

    @Test("starts with its parent's observers, then keeps its own")
    func observers() async throws {
        let journal = Journal()
        endpoint.observation.register(for: [200]) { _ in journal.note("parent") }
        let derived = endpoint.derived { derived in
            derived.observation.register(for: [200]) { _ in journal.note("derived") }
        }
        _ = try await derived.value(for: TextRequest(path: "x"))
        _ = try await endpoint.value(for: TextRequest(path: "x"))
        journal.end()
        #expect(await journal.entries == ["parent", "derived", "parent"])
    }

    @Test("can replace its parent any number of times, which is released")
    func chain() async throws {
        let middle = endpoint.derived { _ in }
        var latest = middle
        weak var earlier: Endpoint?
        for number in 1...50_000 {
            latest = latest.derived { _ in }
            if number == 25_000 { earlier = latest }
        }
        #expect(earlier == nil)
        #expect(latest.calls.depth == 2)
        #expect(try await latest.value(for: TextRequest(path: "x")) == "nobody")
        // The endpoints that are still in use reach it as before.
        server.route(nil, "/never") { _ in .fault(.stall) }
        let call = TextRequest(path: "never").execute(on: latest).onSuccess { _ in }
        _ = try await server.waitForRequests(2)
        middle.cancelAllRequests()
        #expect(await call.failure?.isCancellation == true)
        await endpoint.shutdown()
        #expect(await TextRequest(path: "x").execute(on: latest).failure != nil)
    }

    @Test("can be derived 50,000 times over, and is then released in any order")
    func longChain() async throws {
        for isReversed in [false, true] {
            var all = [endpoint]
            for _ in 1...50_000 { all.append(all[all.count - 1].derived { _ in }) }
            let last = all[all.count - 1]
            #expect(try await last.value(for: TextRequest(path: "x")) == "nobody")
            if isReversed { all.reverse() }
            while !all.isEmpty { all.removeLast() }
            #expect(last.calls.depth == 1)
        }
        // Without another call, the last one releases the scopes of all.
        var all = [endpoint]
        for _ in 1...50_000 { all.append(all[all.count - 1].derived { _ in }) }
        all.removeFirst(50_000)
        all = []
    }

    @Test("stays shut down when the shut down parent is released")
    func releasedAfterShutdown() async throws {
        var parent: Endpoint? = endpoint.derived { _ in }
        let child = try #require(parent?.derived { _ in })
        await parent?.shutdown()
        parent = nil
        let error = await TextRequest(path: "x").execute(on: child).failure
        #expect(error.map { "\($0)" }?.contains("shut down") == true)
        #expect(try await endpoint.value(for: TextRequest(path: "x")) == "nobody")
    }

    @Test("cancels only its own calls, while its parent cancels both")
    func cancelling() async throws {
        server.route(nil, "/never") { _ in .fault(.stall) }
        let (one, other) = (endpoint.derived { _ in }, endpoint.derived { _ in })
        let operations = [one, other, endpoint]
            .map {
                TextRequest(path: "never").execute(on: $0).onSuccess { _ in }
            }
        _ = try await server.waitForRequests(3)
        one.cancelAllRequests()
        #expect(await operations[0].failure?.isCancellation == true)
        endpoint.cancelAllRequests()
        for operation in operations { #expect(await operation.failure?.isCancellation == true) }
    }
}

extension CallScope {
    /// The number of scopes around this one.
    fileprivate var depth: Int {
        var (depth, next) = (0, nextInUse())
        while let scope = next { (depth, next) = (depth + 1, scope.nextInUse()) }
        return depth
    }
}
