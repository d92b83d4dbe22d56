import Foundation
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// How many calls wait for a transfer is nobody's business but of these tests.
@testable import NetKit
@testable import NetKitSupport
import NetKitCookies
import NetKitPaging

@Suite("Coalesced requests", .timeLimit(.minutes(15)))
struct CoalescingScenarios {
    private struct Item: Request {
        typealias ResponseObjectType = String
        var path = "item"
        var method: HTTPMethod = .get
        var headers: HTTPHeaders = [:]
        var isCoalesced = true
        var priority = RequestPriority.normal
        var timeout: TimeInterval?
        var retryPolicy: RetryPolicy?
    }

    private struct Length: Request {
        typealias ResponseObjectType = Data
        let path = "item"
        let isCoalesced = true
    }

    private let server: MockServer
    private let endpoint: Endpoint
    private let gate = DispatchSemaphore(value: 0)

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        server.route(nil, "/item") { [gate] request in
            gate.wait()
            return .text("\(request.method) \(request.header("X-Kind") ?? "plain")")
        }
    }

    /// Lets all requests be answered that come.
    private func open() {
        for _ in 0..<50 { gate.signal() }
    }

    @Test("sends concurrent requests once, and later requests separately")
    func shared() async throws {
        let operations = (0..<20).map { _ in Item().execute(on: endpoint).onSuccess { _ in } }
        await eventually { endpoint.coalescer.waiting == 20 }
        open()
        for operation in operations {
            #expect(try await operation.value == "GET plain")
            #expect(operation.history.map(\.outcome) == [.response(.ok)])
        }
        #expect(server.requests.count == 1)
        #expect(try await endpoint.value(for: Item()) == "GET plain")
        #expect(server.requests.count == 2)
    }

    @Test("calls each debug handler once, even for a cancelled call")
    func debugged() async throws {
        let infos = Locked<[Int: [Int?]]>([:])
        let operations = (0..<3)
            .map { index in
                Item().execute(on: endpoint)
                    .onDebug { info in
                        infos.withLock {
                            $0[index, default: []].append(info.urlResponse?.statusCode)
                        }
                    }
                    .onSuccess { _ in }
            }
        await eventually { endpoint.coalescer.waiting == 3 }
        operations[2].cancel()
        _ = await operations[2].failure
        open()
        for operation in operations.prefix(2) { #expect(try await operation.value == "GET plain") }
        await eventually { infos.withLock { $0.count } == 3 }
        #expect(infos.withLock { $0.values.map(\.count) } == [1, 1, 1])
        #expect(infos.withLock { $0.values.filter { $0 == [200] }.count } >= 2)
    }

    @Test("shares only requests of one type with equal fields that opt in")
    func different() async throws {
        open()
        async let first = endpoint.value(for: Item(headers: ["X-Kind": "a"]))
        async let second = endpoint.value(for: Item(headers: ["X-Kind": "b"]))
        async let third = endpoint.value(for: Item(isCoalesced: false))
        async let fourth = endpoint.value(for: Item(method: .put))
        async let fifth = endpoint.value(for: Length())
        async let low = endpoint.value(for: Item(priority: .low))
        async let high = endpoint.value(for: Item(priority: .high))
        let texts = try await [first, second, third, fourth, low, high]
        #expect(texts == ["GET a", "GET b", "GET plain", "PUT plain", "GET plain", "GET plain"])
        #expect(try await fifth == Data("GET plain".utf8))
        #expect(server.requests.count == 7)
    }

    /// An authentication that sends a coalesced request before its first own one.
    private struct Asking: Authentication {
        let isFirst = Locked(true)
        let ask: @Sendable () async throws -> Void

        func authenticate(_ request: inout EncodedRequest) async throws {
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isFirst { try await ask() }
        }
    }

    /// Where a request is sent again while its transfer is in flight.
    enum Place: CaseIterable, Sendable {
        case call, attempt, exchange, authentication, handlers
    }

    @Test("sends a request of its own when it is part of the transfer", arguments: Place.allCases)
    func again(place: Place) async throws {
        open()
        // The endpoint retains the closure.
        let ask: @Sendable () async throws -> Void = { [weak endpoint] in
            guard let endpoint else { return }
            if place == .handlers {
                _ = try await withCheckedThrowingContinuation { continuation in
                    TextRequest(path: "item").execute(on: endpoint)
                        .onSuccess { _ in
                            Item().execute(on: endpoint)
                                .onSuccess { continuation.resume(returning: $0) }
                                .onFail { continuation.resume(throwing: $0) }
                        }
                        .onFail { continuation.resume(throwing: $0) }
                }
            } else {
                _ = try await endpoint.value(for: Item())
            }
        }
        let isFirst = Locked(true)
        func interceptor(_ scope: InterceptorScope) -> ClosureInterceptor {
            ClosureInterceptor(scope: scope) { request, next in
                let isFirst = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if isFirst { try await ask() }
                return try await next(request)
            }
        }
        switch place {
        case .call: endpoint.interceptors = [interceptor(.call)]
        case .attempt, .handlers: endpoint.interceptors = [interceptor(.attempt)]
        case .exchange: endpoint.interceptors = [interceptor(.exchange)]
        case .authentication: endpoint.authentication = Asking(ask: ask)
        }
        #expect(try await endpoint.value(for: Item()) == "GET plain")
        #expect(server.requests.count == (place == .handlers ? 3 : 2))
        #expect(endpoint.coalescer.waiting == 0)
    }

    @Test("ends when transfers would wait for each other")
    func circle() async throws {
        open()
        let others = ["a": "b", "b": "a"]
        let begun = Locked(0)
        endpoint.interceptors = [
            ClosureInterceptor { [weak endpoint] request, next in
                guard let kind = request.headers["X-Kind"], let other = others[kind] else {
                    return try await next(request)
                }
                let count = begun.withLock { begun in
                    begun += 1
                    return begun
                }
                // Only the first two ask, when both are in flight.
                if count <= 2 {
                    await eventually { begun.withLock { $0 } >= 2 }
                    _ = try await endpoint?.value(for: Item(headers: ["X-Kind": other]))
                }
                return try await next(request)
            }
        ]
        async let first = endpoint.value(for: Item(headers: ["X-Kind": "a"]))
        async let second = endpoint.value(for: Item(headers: ["X-Kind": "b"]))
        #expect(try await [first, second] == ["GET a", "GET b"])
    }

    @Test("sends a request for each user who signs in while one is in flight")
    func users() async throws {
        let jar = CookieJar()
        endpoint.cookies = jar
        server.route(nil, "/item") { [gate] request in
            gate.wait()
            return .text(request.header("Cookie") ?? request.header("Authorization") ?? "")
        }
        var calls: [Task<String, any Error>] = []
        func start() async throws {
            calls.append(Task { [endpoint] in try await endpoint.value(for: Item()) })
            _ = try await server.waitForRequests(calls.count)
        }
        try await start()
        jar.store(["sid=alice"], from: server.baseURL)
        try await start()
        jar.store(["sid=bob"], from: server.baseURL)
        try await start()
        endpoint.cookies = nil
        for name in ["alice", "bob"] {
            endpoint.authentication = BasicAuthentication(username: name, password: "1")
            try await start()
        }
        open()
        var texts: [String] = []
        for call in calls { texts.append(try await call.value) }
        #expect(texts.prefix(3) == ["", "sid=alice", "sid=bob"])
        #expect(Set(texts).count == 5)
    }

    @Test("shares no transfer between a poll, which reloads, and another call")
    func polling() async throws {
        let value = Task { try await endpoint.value(for: Item()) }
        try await server.waitForRequests(1)
        let polled = Task { try await endpoint.poll(Item()).value }
        try await server.waitForRequests(2)
        open()
        #expect(try await value.value == "GET plain")
        #expect(try await polled.value == "GET plain")
    }

    @Test("compares the endpoint's settings, and the timeouts and retries of each call")
    func limits() {
        let request = EncodedRequest(url: server.url("/item"), method: .get)
        func key(
            _ item: Item,
            idleTimeout: Duration? = nil,
            retries: Int? = nil
        ) -> Coalescer.Key? {
            var settings = CallSettings()
            (settings.idleTimeout, settings.retries) = (idleTimeout, retries)
            let control = CallControl(clock: .shared, settings: settings)
            return Coalescer.Key(item, request, .standard, control, on: endpoint, endpoint.settings)
        }
        let keys = [
            key(Item()), key(Item(timeout: 5)), key(Item(), idleTimeout: .seconds(6)),
            key(Item(retryPolicy: .never)), key(Item(), retries: 0), key(Item(), retries: 1),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(key(Item(timeout: 5)) == keys[1])
        #expect(key(Item(timeout: 5), idleTimeout: .seconds(6)) == keys[2])
        #expect(key(Item(retryPolicy: .never)) == keys[3])
        #expect(key(Item()) == keys[0])
        let earlier = endpoint.settings
        endpoint.timeouts.idle = .seconds(7)
        #expect(key(Item()) != keys[0])
        withExtendedLifetime(earlier) {}
    }

    @Test(
        "fails with the response whose Retry-After exceeds the deadline",
        arguments: [false, true]
    )
    func deadline(isCoalesced: Bool) async throws {
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            clock: ManualClock(skippingDelays: true)
        )
        server.route(nil, "/item") { _ in .status(503).header("Retry-After", "50") }
        let operation = Item(isCoalesced: isCoalesced).execute(on: endpoint)
            .deadline(after: .seconds(49))
        #expect(await operation.failure?.statusCode == 503)
        #expect(operation.history.map(\.next) == [.stop(.deadlineTooClose)])
    }

    @Test("decides by the last deadline of the calls, and by none if one has none")
    func lastDeadline() {
        let clock = DeadlineClock(manual: ())
        let shared = CallControl(clock: clock)
        let calls = (0..<3).map { _ in CallControl(clock: clock) }
        for (call, seconds) in zip(calls, [3, 2]) { call.setDeadline(.seconds(seconds)) }
        shared.share { Array(calls.prefix(2)) }
        #expect(shared.deadline == 3_000_000_000)
        shared.share { calls }
        #expect(shared.deadline == nil)
        calls[2].stop(.cancelled)
        #expect(shared.deadline == 3_000_000_000)
    }

    @Test("compares fields byte by byte")
    func bytes() throws {
        let control = CallControl(clock: .shared)
        let keys = ["\u{E9}", "e\u{301}", "\u{E9}"]
            .map { text in
                let request = EncodedRequest(
                    url: server.url("/item"),
                    method: .get,
                    headers: ["X-Kind": text]
                )
                let settings = endpoint.settings
                return Coalescer.Key(Item(), request, .standard, control, on: endpoint, settings)
            }
        #expect(keys[0] == keys[2])
        #expect(keys[0] != keys[1])
    }

    @Test("continues when one call is cancelled, and stops when all are")
    func cancelling() async throws {
        let first = Item().execute(on: endpoint).onSuccess { _ in }
        _ = try await server.waitForRequests(1)
        let second = Item().execute(on: endpoint).deadline(after: .seconds(3_600))
            .onSuccess { _ in }
        await eventually { endpoint.coalescer.waiting == 2 }
        first.cancel()
        #expect(await first.failure?.kind == .cancelled)
        open()
        #expect(try await second.value == "GET plain")
        #expect(server.requests.count == 1)

        server.route(nil, "/item") { _ in .fault(.stall) }
        let failures = Locked<[String?]>([])
        endpoint.observation.registerExchanges { exchange in
            failures.withLock { $0.append(exchange.failure) }
        }
        let others = (0..<3).map { _ in Item().execute(on: endpoint).onSuccess { _ in } }
        _ = try await server.waitForRequests(2)
        await eventually { endpoint.coalescer.waiting == 3 }
        endpoint.cancelAllRequests()
        for other in others { #expect(await other.failure?.kind == .cancelled) }
        try await server.waitForClientClose()
        // The transfer that nobody waits for is reported, too.
        await eventually { failures.withLock { $0.count } == 1 }
        #expect(failures.withLock { $0.count } == 1)
    }

    @Test("ends a transfer for the reason of the last call that leaves it")
    func lastReason() async throws {
        server.route(nil, "/item") { _ in .fault(.stall) }
        let failures = Locked<[String?]>([])
        endpoint.observation.registerExchanges { exchange in
            failures.withLock { $0.append(exchange.failure) }
        }
        let operations = (0..<2).map { _ in Item().execute(on: endpoint).onSuccess { _ in } }
        try await server.waitForRequests(1)
        await eventually { endpoint.coalescer.waiting == 2 }
        operations[0].cancel()
        #expect(await operations[0].failure?.kind == .cancelled)
        operations[1].deadline(after: .zero)
        #expect(await operations[1].failure?.kind == .timeout(.total))
        try await server.waitForClientClose()
        await eventually { !failures.withLock { $0.isEmpty } }
        #expect(failures.withLock { $0.map { $0?.contains("total timeout") } } == [true])
    }
}
