import Dispatch
import Foundation
import NetKitSupport
import NetKitTesting
import Testing

// How many calls wait for a transfer is nobody's business but of these tests.
@testable import NetKit
import NetKitCache

@Suite("Observers", .timeLimit(.minutes(15)))
struct ObservationScenarios {
    private struct Text: Request {
        typealias ResponseObjectType = String
        var path = "text"
        var headers: HTTPHeaders = [:]
    }

    private struct Shared: Request {
        typealias ResponseObjectType = String
        let path = "slow"
        let isCoalesced = true
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/text") { _ in .text("plain") }
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
    }

    @Test("reports each call of a type once, however it ends, before the caller's handlers")
    func byType() async throws {
        let journal = Journal()
        endpoint.observation.register(for: Text.self) { request, result in
            switch result {
            case .success(let text): journal.note("\(request.path) \(text)")
            case .failure(let error): journal.note("\(request.path) \(error.kind)")
            }
        }
        _ = try await endpoint.value(for: Text())
        _ = await Text(path: "none").execute(on: endpoint).failure
        _ = await Text(headers: ["a b": "c"]).execute(on: endpoint).failure
        let cancelled = Text().execute(on: endpoint).onStart { $0.cancel() }
        _ = await cancelled.failure
        _ = try await endpoint.value(for: TextRequest(path: "text", method: .get))
        journal.end()
        #expect(
            await journal.entries == [
                "text plain", "none \(FailureKind.server(404))",
                "text \(FailureKind.invalidRequest(.invalidHeader(name: "a b")))",
                "text \(FailureKind.cancelled)",
            ]
        )
    }

    @Test("reports responses by status, successes included, until its token is unregistered")
    func byStatus() async throws {
        let journal = Journal()
        let token = endpoint.observation.register(for: [200, 404]) { response in
            journal.note("\(response.statusCode)")
        }
        _ = try await endpoint.value(for: Text())
        _ = await Text(path: "none").execute(on: endpoint).failure
        server.enqueue(.status(418))
        _ = await Text().execute(on: endpoint).failure
        endpoint.observation.unregister(token)
        _ = try await endpoint.value(for: Text())
        journal.end()
        #expect(await journal.entries == ["200", "404"])
    }

    @Test("stays registered when it gets another registry's token, unless that is its copy")
    func tokens() {
        let (registry, other) = (ObservationManager(), ObservationManager())
        let token = registry.registerEvents { _ in }
        #expect(other.registerEvents { _ in } != token)
        let copy = registry.copy()
        for registry in [other, copy] { registry.unregister(token) }
        #expect(!registry.isEmpty && !other.isEmpty && copy.isEmpty)
    }

    @Test("reports to each of many observers, until all of a kind are unregistered")
    func many() async throws {
        let count = Locked(0)
        let tokens = (0..<3)
            .map { _ in endpoint.observation.registerEvents { _ in count.withLock { $0 += 1 } } }
        for _ in 0..<100_000 { endpoint.observation.register(for: [418]) { _ in } }
        _ = try await endpoint.value(for: Text())
        let all = count.withLock { $0 }
        #expect(all > 0 && all % 3 == 0)
        for token in tokens { endpoint.observation.unregister(token) }
        _ = try await endpoint.value(for: Text())
        #expect(count.withLock { $0 } == all)
        #expect(endpoint.observation.subscribers.isEmpty)
    }

    @Test("reports every event of a call in order")
    func events() async throws {
        server.enqueue(.status(503), .redirect(to: "/text"))
        let events = Journal()
        endpoint.observation.registerEvents { event in
            #expect(event.request == "Text")
            events.note(event.kind.name)
        }
        _ = try await endpoint.value(for: Text())
        _ = await Text(headers: ["a b": "c"]).execute(on: endpoint).failure
        events.end()
        #expect(
            await events.entries == [
                "queued", "attempt 1", "started", "received 503", "decided retry", "attempt 2",
                "started", "redirected", "started", "received 200", "decided done", "decoded",
                "finished", "finished",
            ]
        )
    }

    @Test("names a request as its type says, in events, measurements, logs, and interceptors")
    func name() async throws {
        struct Named: Request {
            typealias ResponseObjectType = String
            static let name = "the text"
            let path = "text"
        }
        struct Asking: Interceptor {
            let scope: InterceptorScope
            let journal: Journal

            func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
                journal.note(RequestContext.current.requestName)
                return try await next(request)
            }
        }
        let (asked, logger) = (Journal(), LineLogger())
        let named = Locked<Set<String>>([])
        endpoint.logger = logger
        endpoint.interceptors = [.call, .attempt, .exchange]
            .map { Asking(scope: $0, journal: asked) }
        endpoint.observation.registerEvents { event in
            named.withLock { _ = $0.insert(event.request) }
        }
        endpoint.observation.registerMeasurements { measurement in
            let name = measurement.dimensions.first { $0.0 == "request" }?.1
            named.withLock { _ = $0.insert(name ?? "") }
        }
        _ = try await endpoint.value(for: Named())
        let folder = try TemporaryFolder()
        _ = try await endpoint.value(for: Named().download(to: folder.file("text")))
        asked.end()
        #expect(await asked.entries == Array(repeating: "the text", count: 6))
        #expect(named.withLock { $0 } == ["the text"])
        #expect(!logger.lines.isEmpty && logger.lines.allSatisfy { $0.contains("] the text ") })
        #expect(Text.name == "Text" && RequestContext.current.requestName.isEmpty)
    }

    @Test("reports every exchange on the wire, including redirects and failures")
    func exchanges() async throws {
        let start = Date()
        let seen = Locked<[ObservedExchange]>([])
        let token = endpoint.observation.registerExchanges { exchange in
            seen.withLock { $0.append(exchange) }
        }
        server.enqueue(.redirect(to: "/text?a=1"), .text("cut").cutting(afterBodyBytes: 1))
        endpoint.headers["X-Key"] = "k"
        _ = try await endpoint.value(for: Text())
        endpoint.observation.unregister(token)
        _ = try await endpoint.value(for: Text())
        let exchanges = seen.withLock { $0 }
        #expect(exchanges.map(\.response?.status) == [302, nil, .ok])
        #expect(exchanges.map(\.attempt) == [1, 1, 2])
        #expect(Set(exchanges.map(\.callID)).count == 1)
        #expect(exchanges.map(\.request.url.query) == [nil, "a=1", nil])
        #expect(exchanges.map(\.request.headers["X-Key"]) == ["k", "k", "k"])
        #expect(exchanges[1].failure?.hasPrefix("incomplete response") == true)
        #expect(exchanges.last?.response?.body == Data("plain".utf8))
        for exchange in exchanges {
            let phases = exchange.phases
            #expect(
                phases.queueDuration + (phases.headDuration ?? .zero)
                    + (phases.bodyDuration ?? .zero) > .zero
            )
            #expect(exchange.duration > .zero)
            #expect((start...Date()).contains(exchange.start))
        }
    }

    @Test("reports nothing after the end of a call")
    func nothingLate() async throws {
        let events = Locked<[Int: [String]]>([:])
        endpoint.observation.registerEvents { event in
            events.withLock { $0[event.callID, default: []].append(event.kind.name) }
        }
        endpoint.observation.registerExchanges { exchange in
            events.withLock { $0[exchange.callID, default: []].append("exchange") }
        }
        for number in 0..<60 {
            // Some are cancelled at once, some within an interceptor, some on their way.
            endpoint.interceptors =
                number.isMultiple(of: 2) ? [] : [ClosureInterceptor { try await $1($0) }]
            let operation = Text().execute(on: endpoint)
            for _ in 0..<(number % 7) { await Task.yield() }
            operation.cancel()
            await operation.delivered()
        }
        // What still goes on by now has its chance to be told of.
        for _ in 0..<3 { _ = try await endpoint.value(for: Text()) }
        // A canceled call tells its caller before its work has ended.
        var all = events.withLock { $0.values }
        while !all.allSatisfy({ $0.contains("finished") }), !Task.isCancelled {
            await Task.yield()
            all = events.withLock { $0.values }
        }
        #expect(!all.isEmpty)
        #expect(all.allSatisfy { $0.firstIndex(of: "finished") == $0.count - 1 })
    }

    /// Adds a route that answers each request after a signal.
    private func slowRoute() -> DispatchSemaphore {
        let gate = DispatchSemaphore(value: 0)
        server.route(nil, "/slow") { _ in
            gate.wait()
            return .text("slow")
        }
        return gate
    }

    @Test("reports a coalesced transfer once, and the outcome for each call")
    func shared() async throws {
        let gate = slowRoute()
        endpoint.cache = .memory()
        let seen = Locked<[CallMeasurement]>([])
        endpoint.observation.registerMeasurements { measurement in
            seen.withLock { $0.append(measurement) }
        }
        async let first = endpoint.value(for: Shared())
        async let second = endpoint.value(for: Shared())
        await eventually { endpoint.coalescer.waiting == 2 }
        gate.signal()
        #expect(try await [first, second] == ["slow", "slow"])
        let measurements = seen.withLock { $0 }
        #expect(server.requests.count == 1)
        #expect(measurements.filter { $0.scope == .attempt(1) }.count == 1)
        let calls = measurements.filter { $0.scope == .call(attempts: 1) }
        #expect(calls.map(\.status?.rawValue) == [200, 200])
        #expect(calls.map(\.cacheOutcome) == [.miss, .miss])
    }

    @Test("reports the rest of a coalesced transfer to another call when the first is canceled")
    func sharedByCanceled() async throws {
        let gate = slowRoute()
        let ended = Locked<[Int]>([])
        let exchanges = Locked<[ObservedExchange]>([])
        endpoint.observation.registerEvents { event in
            if case .finished = event.kind { ended.withLock { $0.append(event.callID) } }
        }
        endpoint.observation.registerExchanges { exchange in
            exchanges.withLock { $0.append(exchange) }
        }
        let first = Shared().execute(on: endpoint).onSuccess { _ in }
        try await server.waitForRequests(1)
        let others = (0..<2).map { _ in Shared().execute(on: endpoint).onSuccess { _ in } }
        await eventually { endpoint.coalescer.waiting == 3 }
        first.cancel()
        _ = await first.failure
        gate.signal()
        for other in others { #expect(try await other.value == "slow") }
        #expect(exchanges.withLock { $0.map(\.response?.status) } == [.ok])
        #expect(exchanges.withLock { $0.map(\.callID) } != [ended.withLock { $0[0] }])
    }

    @Test("reports a stream and its status to the end, whether or not it begins")
    func streams() async throws {
        let statuses = Journal()
        endpoint.observation.register(for: [200, 404]) { statuses.note("\($0.statusCode)") }
        let events = Journal()
        endpoint.observation.registerEvents { event in events.note(event.kind.name) }
        for try await _ in try await endpoint.stream(Text()) {}
        #expect(await failure(of: Text(path: "none")) == .server(404))
        let invalid = await failure(of: Text(headers: ["a b": "c"]))
        #expect(invalid == .invalidRequest(.invalidHeader(name: "a b")))
        // The first of them ends when its transfer is wound up, which may be behind its last byte.
        #expect(await events.count(of: "finished", upTo: 3) == 3)
        #expect(await statuses.count(of: "404", upTo: 1) == 1)
    }

    /// What a stream fails with before its head is there.
    private func failure(of request: Text) async -> FailureKind? {
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await endpoint.stream(request)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test("can be registered and unregistered from many threads during calls")
    func threads() async throws {
        let calls = Journal()
        endpoint.observation.register(for: Text.self) { _, _ in calls.note("call") }
        await withTaskGroup(of: Void.self) { [endpoint] group in
            for _ in 0..<40 {
                group.addTask {
                    let token = endpoint.observation.registerEvents { _ in }
                    _ = try? await endpoint.value(for: Text())
                    endpoint.observation.unregister(token)
                }
            }
        }
        calls.end()
        #expect(await calls.entries.count == 40)
    }
}

extension CallEvent.Kind {
    fileprivate var name: String {
        switch self {
        case .queued: "queued"
        case .attemptStarted(let number): "attempt \(number)"
        case .started: "started"
        case .sent: "sent"
        case .redirected: "redirected"
        case .credentialsRemoved: "credentials left behind"
        case .refreshed: "refreshed"
        case .answeredFromCache(let outcome): "from the cache: \(outcome)"
        case .startedOver(let reason): "started over: \(reason)"
        case .received(let status): "received \(status.rawValue)"
        case .attemptFinished(let trace):
            switch trace.next {
            case .done: "decided done"
            case .retry: "decided retry"
            case .interceptor: "decided by an interceptor"
            case .stop: "decided stop"
            }
        case .decoded: "decoded"
        case .finished: "finished"
        }
    }
}
