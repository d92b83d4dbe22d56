import Foundation
import NetKit
import NetKitCache
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Circuit breaker", .timeLimit(.minutes(15)))
struct CircuitBreakerScenarios {
    @Test("blocks a failing host, and no other")
    func open() async throws {
        let server = try MockServer()
        server.route(nil, "/text") { _ in .status(500) }
        let other = try MockServer()
        other.route(nil, "/text") { _ in .text("fine") }
        let breaker = CircuitBreaker(
            minimumAttempts: 3,
            window: .seconds(3600),
            pause: .seconds(3600)
        )
        let request = TextRequest(path: "text", method: .get)
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        endpoint.interceptors = [breaker]
        for _ in 0..<3 { #expect(await request.execute(on: endpoint).failure?.statusCode == 500) }
        let refused = await request.execute(on: endpoint).failure
        #expect(refused?.underlying is CircuitOpenError)
        #expect(server.requests.count == 3)
        let fine = testEndpoint(baseURL: other.baseURL)
        fine.interceptors = [breaker]
        #expect(try await fine.value(for: request) == "fine")
    }

    @Test(
        "doesn't blame a host for the failures of another one that it redirects to",
        arguments: [
            (.status(500), .server(500)), (.fault(.closeBeforeHead), .transport(.connectionLost)),
            (.fault(.stall), .timeout(.idle)),
        ] as [(MockResponse, FailureKind)]
    )
    func redirect(answer: MockResponse, kind: FailureKind) async throws {
        let (server, other) = (try MockServer(), try MockServer())
        let target = other.url("/text").absoluteString
        server.route(nil, "/text") { _ in .redirect(to: target) }
        other.route(nil, "/text") { _ in answer }
        let clock = ManualClock()
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            retryingCount: 0,
            clock: clock
        )
        endpoint.interceptors = [
            CircuitBreaker(minimumAttempts: 2, window: .seconds(1e6), pause: .seconds(1e6))
        ]
        let request = TextRequest(path: "text", method: .get)
        for number in 1...3 {
            let isOver = Locked(false)
            let operation = request.execute(on: endpoint).timeout(after: .seconds(8))
                .onFail { _ in isOver.withLock { $0 = true } }
            if kind == .timeout(.idle) {
                await eventually { other.requestCount == number || isOver.withLock { $0 } }
                await eventually {
                    clock.advance(by: .seconds(8))
                    return isOver.withLock { $0 }
                }
            }
            #expect(await operation.failure?.kind == kind)
        }
    }

    @Test("counts the failures of another host that an interceptor sends to")
    func otherHost() async throws {
        let stub = StubTransport()
        stub.on(.get, "/text") { _ in .status(503) }
        let url = try #require(URL(string: "https://a.test"))
        let mirror = try #require(URL(string: "https://b.test/text"))
        let endpoint = Endpoint(baseURL: url, transport: stub, retryingCount: 0)
        endpoint.interceptors = [
            CircuitBreaker(minimumAttempts: 1, window: .seconds(3600), pause: .seconds(3600)),
            ClosureInterceptor { request, next in
                var request = request
                request.url = mirror
                return try await next(request)
            },
        ]
        let request = TextRequest(path: "text", method: .get)
        #expect(await request.execute(on: endpoint).failure?.statusCode == 503)
        let refused = await request.execute(on: endpoint).failure
        #expect(refused?.underlying is CircuitOpenError)
        #expect(stub.requests.count == 1)
    }

    @Test("doesn't blame a host for what failed before it was sent")
    func unsent() async throws {
        struct Refused: Error {}
        let server = try MockServer()
        server.route(nil, "/text") { request in
            request.header("Authorization") == nil ? .text("fine") : .status(401)
        }
        let breaker = CircuitBreaker(
            minimumAttempts: 1,
            window: .seconds(3600),
            pause: .seconds(3600)
        )
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        func derived(_ inner: ClosureInterceptor? = nil) -> Endpoint {
            endpoint.derived { $0.interceptors = [breaker] + (inner.map { [$0] } ?? []) }
        }
        let refused = derived(ClosureInterceptor { _, _ in throw Refused() })
        let answered = derived(
            ClosureInterceptor { request, _ in HTTPResponse(to: request, status: 503) }
        )
        let invalid = derived(
            ClosureInterceptor { request, next in
                var request = request
                request.method = "NO METHOD"
                return try await next(request)
            }
        )
        let signedOut = derived()
        signedOut.authentication = BearerAuthentication(token: "old") { _ in
            throw TransportError(.connectionLost)
        }
        let request = TextRequest(path: "text", method: .get)
        for endpoint in [refused, answered, invalid, signedOut] {
            let failure = await request.execute(on: endpoint).failure
            #expect(failure != nil && !(failure?.underlying is CircuitOpenError))
        }
        endpoint.maximumConcurrentRequests = 1
        server.enqueue(.fault(.stall))
        let stalled = request.execute(on: endpoint).onSuccess { _ in }
        _ = try await server.waitForRequests(2)
        let late = request.execute(on: derived()).deadline(after: .milliseconds(30))
        #expect(await late.failure?.kind == .timeout(.total))
        stalled.cancel()
        #expect(try await derived().value(for: request) == "fine")
        server.route(nil, "/text") { _ in .fault(.closeBeforeHead) }
        #expect(await request.execute(on: derived()).failure?.isTransient == true)
        #expect(await request.execute(on: derived()).failure?.underlying is CircuitOpenError)
    }

    @Test("counts no answer of the cache, and refuses no call that only the cache may answer")
    func cache() async throws {
        let setting = try CacheSetting()
        setting.endpoint.interceptors = [
            CircuitBreaker(minimumAttempts: 2, window: .seconds(3600), pause: .seconds(10))
        ]
        setting.serve("max-age=3600")
        setting.server.route(nil, "/failing") { _ in .status(500) }
        func failure(_ path: String, _ headers: HTTPHeaders = [:]) async -> (any Error)? {
            let request = CachedText(path: path, headers: headers)
            let error = await CallStyle.async.outcome(of: request, on: setting.endpoint).error
            return error?.underlying ?? error
        }
        #expect(try await setting.get() == "1 miss")
        for _ in 0..<3 {
            #expect(await failure("other", [.cacheControl: "only-if-cached"]) != nil)
        }
        #expect(try await setting.get() == "1 hit")
        for _ in 0..<2 { _ = await failure("failing") }
        #expect(await failure("text") is CircuitOpenError)
        #expect(try await setting.get(CachedText(cachePolicy: .onlyIfCached)) == "1 hit")
        // The cache's answer is no probe, so that the failure that follows is.
        setting.clock.advance(by: .seconds(10))
        #expect(try await setting.get() == "1 hit")
        let probe = await failure("failing")
        #expect(!(probe is CircuitOpenError))
        #expect(await failure("text") is CircuitOpenError)
    }

    @Test("opens by default for 5 seconds, once half of 10 attempts in 30 seconds have failed")
    func defaults() async throws {
        for (age, opens) in [(0, true), (29, true), (31, false)] {
            let setting = try CacheSetting()
            setting.endpoint.retryPolicy = .never
            setting.endpoint.interceptors = [CircuitBreaker()]
            setting.serve("no-store")
            setting.server.route(nil, "/failing") { _ in .status(500) }
            func isRefused(_ path: String) async -> Bool {
                let request = CachedText(path: path)
                let error = await CallStyle.async.outcome(of: request, on: setting.endpoint).error
                return error?.underlying is CircuitOpenError
            }
            for path in ["text", "failing", "text", "failing", "text", "failing", "text"] {
                #expect(await !isRefused(path))
            }
            setting.clock.advance(by: .seconds(age))
            for path in ["text", "failing", "failing"] { #expect(await !isRefused(path)) }
            #expect(await isRefused("text") == opens)
            guard opens else { continue }
            setting.clock.advance(by: .milliseconds(4_999))
            #expect(await isRefused("text"))
            setting.clock.advance(by: .milliseconds(1))
            #expect(await !isRefused("text"))
        }
    }

    @Test("leaves the response, or a stale one, to a call whose retry it refuses")
    func refusedRetry() async throws {
        for hasStale in [false, true] {
            let setting = try CacheSetting()
            setting.endpoint.retryPolicy.maximumRetries = 2
            setting.endpoint.interceptors = [
                CircuitBreaker(minimumAttempts: 1, pause: .seconds(3600))
            ]
            setting.serve("max-age=60, stale-if-error=600")
            if hasStale { #expect(try await setting.get() == "1 miss") }
            setting.clock.advance(by: .seconds(61))
            setting.server.clearRequests()
            setting.server.route(nil, "/text") { _ in .status(503) }
            let debugged = Locked(0)
            let operation = CachedText().execute(on: setting.endpoint)
                .onDebug { _ in debugged.withLock { $0 += 1 } }
            if hasStale {
                let response = try await operation.response
                #expect(response.value == "1")
                #expect(response.history.map(\.number) == [1, 2])
            } else {
                #expect(await operation.failure?.statusCode == 503)
                await eventually { debugged.withLock { $0 } == 2 }
                #expect(debugged.withLock { $0 } == 2)
            }
            #expect(operation.history.map(\.number) == [1, 2])
            #expect(setting.server.requests.count == 1)
        }
    }

    @Test("needs no more than 1,000 failed attempts, whatever the minimum")
    func largeMinimum() async throws {
        let stub = StubTransport()
        stub.on(.get, "/text") { _ in .status(500) }
        let url = try #require(URL(string: "https://a.test"))
        let endpoint = Endpoint(baseURL: url, transport: stub, retryingCount: 0)
        endpoint.interceptors = [
            CircuitBreaker(
                minimumAttempts: .max,
                window: .seconds(3600),
                pause: .seconds(3600)
            )
        ]
        let request = TextRequest(path: "text", method: .get)
        for _ in 0..<1_001 { _ = await request.execute(on: endpoint).failure }
        #expect(stub.requests.count == 1_000)
    }
}
