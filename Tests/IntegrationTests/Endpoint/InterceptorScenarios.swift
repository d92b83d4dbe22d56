import Foundation
import NetKit
import NetKitCache
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Interceptors", .timeLimit(.minutes(15)))
struct InterceptorScenarios {
    private struct Text: Request {
        typealias ResponseObjectType = String
        var path = "text"
        var method: HTTPMethod = .get
        var body: RequestBody?
        var headers: HTTPHeaders = [:]
        var interceptors: [any Interceptor] = []
        var feature: String?

        var context: RequestContext {
            var context = RequestContext()
            context[Feature.self] = feature
            return context
        }
    }

    private enum Feature: RequestContextKey { typealias Value = String }

    private struct Refused: Error, Equatable {}

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/text") { _ in .text("plain") }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 1)
        endpoint.retryPolicy.backoff = .none
    }

    private func tagging(_ name: String, _ journal: Journal) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            journal.note("\(name) in")
            defer { journal.note("\(name) out") }
            var request = request
            request.headers[HTTPHeaderName("X-\(name)")] = name
            return try await next(request)
        }
    }

    @Test(
        "leaves nothing behind that outlives it",
        arguments: [InterceptorScope.call, .attempt, .exchange]
    )
    func leftBehind(scope: InterceptorScope) async throws {
        server.route("GET", "/text") { _ in .fault(.stall) }
        let left = Locked<Task<Bool, Never>?>(nil)
        let begun = Locked<(next: InterceptorNext, request: EncodedRequest)?>(nil)
        endpoint.interceptors = [
            ClosureInterceptor(scope: scope) { [server] request, next in
                let task = Task {
                    do {
                        _ = try await next(request)
                        return false
                    } catch {
                        return (error as? any CallError)?.isCancellation == true
                    }
                }
                left.withLock { $0 = task }
                begun.withLock { $0 = (next, request) }
                _ = try await server.waitForRequests(1)
                return HTTPResponse(to: request, status: 200, body: Data("own".utf8))
            }
        ]
        #expect(try await endpoint.value(for: Text()) == "own")
        let task = try #require(left.withLock { $0 })
        #expect(await task.value)
        let (next, request) = try #require(begun.withLock { $0 })
        await #expect(throws: (any Error).self) { _ = try await next(request) }
        #expect(server.requests.count == 1)
    }

    @Test("wraps a request in order, the endpoint's interceptors outermost")
    func onion() async throws {
        let journal = Journal()
        endpoint.interceptors = [tagging("A", journal), tagging("B", journal)]
        let request = Text(interceptors: [tagging("C", journal)])
        #expect(try await endpoint.value(for: request) == "plain")
        journal.end()
        #expect(await journal.entries == ["A in", "B in", "C in", "C out", "B out", "A out"])
        let sent = try #require(server.requests.first)
        #expect(["X-A", "X-B", "X-C"].map { sent.header($0) } == ["A", "B", "C"])
    }

    @Test("wraps every attempt, and reads the request's context")
    func attempts() async throws {
        server.enqueue(.status(503))
        let journal = Journal()
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                let context = RequestContext.current
                journal.note("\(context.attempt) \(context[Feature.self] ?? "-")")
                return try await next(request)
            }
        ]
        #expect(try await endpoint.value(for: Text(feature: "search")) == "plain")
        journal.end()
        #expect(await journal.entries == ["1 search", "2 search"])
    }

    @Test("can respond without sending")
    func answering() async throws {
        endpoint.interceptors = [
            ClosureInterceptor { request, _ in
                HTTPResponse(
                    to: request,
                    status: .ok,
                    headers: ["Content-Type": "text/plain"],
                    body: Data("cached".utf8)
                )
            }
        ]
        #expect(try await endpoint.value(for: Text()) == "cached")
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("can send more than once")
    func sendingTwice() async throws {
        server.enqueue(.status(404))
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                let first = try await next(request)
                return first.status == .notFound ? try await next(request) : first
            }
        ]
        let response = try await endpoint.response(for: Text())
        #expect(response.value == "plain")
        #expect(response.attempts == 1)
        #expect(server.requests.count == 2)
    }

    @Test("fails the call with the interceptor's error, without a retry")
    func throwing() async throws {
        endpoint.interceptors = [ClosureInterceptor { _, _ in throw Refused() }]
        let error = await Text().execute(on: endpoint).failure
        #expect(error?.underlying as? Refused == Refused())
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("passes a failure on to the usual retry")
    func failing() async throws {
        server.enqueue(.fault(.closeBeforeHead))
        let journal = Journal()
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                do {
                    return try await next(request)
                } catch let error as ErrorResponse<ServerMessage> {
                    journal.note("\(error.kind)")
                    throw error
                }
            }
        ]
        #expect(try await endpoint.value(for: Text(method: .put, body: .string("x"))) == "plain")
        journal.end()
        #expect(await journal.entries == ["\(FailureKind.transport(.connectionLost))"])
    }

    @Test("can change the URL, method and fields, and keeps a streamed body")
    func changing() async throws {
        server.route(nil, "/other") { request in .text("\(request.method) \(request.bodyLength)") }
        let other = server.url("/other")
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                var request = request
                request.url = other
                request.method = .put
                request.headers["X-Gone"] = nil
                return try await next(request)
            }
        ]
        let pieces = AsyncStream<Data> { continuation in
            continuation.yield(Data(count: 70_000))
            continuation.finish()
        }
        let text = Text(method: .post, body: .stream(pieces), headers: ["X-Gone": "1"])
        #expect(try await endpoint.value(for: text) == "PUT 70000")
        #expect(server.requests.first?.header("X-Gone") == nil)
    }

    @Test("can't send an invalid field", arguments: ["a\r\nB: c", "a\0"])
    func invalid(value: String) async throws {
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                var request = request
                request.headers["X-Bad"] = value
                return try await next(request)
            }
        ]
        let error = await Text().execute(on: endpoint).failure
        #expect(error?.kind == .invalidRequest(.invalidHeader(name: "X-Bad")))
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("stops waiting at a cancel or the call's deadline")
    func waiting() async throws {
        let journal = Journal()
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                let (never, _) = AsyncStream.makeStream(of: Void.self)
                journal.end()
                for await _ in never {}
                return try await next(request)
            }
        ]
        let operation = Text().execute(on: endpoint)
        _ = await journal.entries
        operation.cancel()
        #expect(await operation.failure?.kind == .cancelled)
        let late = Text().execute(on: endpoint).deadline(after: .milliseconds(20))
        #expect(await late.failure?.kind == .timeout(.total))
    }

    @Test("sees the response of a stream or download without its body")
    func streams() async throws {
        let folder = try TemporaryFolder()
        let seen = Locked<[String]>([])
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                let response = try await next(request)
                seen.withLock { $0.append("\(response.status.rawValue) \(response.body.count)") }
                return response
            }
        ]
        var text = ""
        for try await line in try await endpoint.stream(Text()).lines { text += line }
        #expect(text == "plain")
        let file = try await endpoint.value(for: Text().download(to: folder.file("text")))
        #expect(try Data(contentsOf: file) == Data("plain".utf8))
        // A stream is read to its end before its transfer is wound up.
        await eventually { seen.withLock { $0.count } == 2 }
        #expect(seen.withLock { $0 } == ["200 0", "200 0"])
    }
}

@Suite("Built-in interceptors", .timeLimit(.minutes(15)))
struct ReadyInterceptorScenarios {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/text") { _ in .text("plain") }
        endpoint = testEndpoint(baseURL: server.baseURL)
    }

    @Test("adds fields missing from the request")
    func defaultFields() async throws {
        endpoint.interceptors = [.userAgent("Test/1")]
        _ = try await endpoint.value(for: TextRequest(path: "text", method: .get))
        _ = try await endpoint.value(
            for: TextRequest(path: "text", method: .get, headers: [.userAgent: "Own/1"])
        )
        #expect(server.requests.map { $0.header("User-Agent") } == ["Test/1", "Own/1"])
    }

    @Test("continues a server's trace with one span per attempt")
    func traceContext() async throws {
        server.enqueue(.status(503))
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let parent = "00-\(trace)-00f067aa0ba902b7-00"
        endpoint.retryPolicy.backoff = .none
        endpoint.interceptors = [TraceContext { parent }]
        _ = try await endpoint.value(for: TextRequest(path: "text", method: .get))
        let sent = server.requests.compactMap { $0.header("traceparent") }
        #expect(sent.count == 2)
        #expect(Set(sent).count == 2)
        for field in sent {
            let parts = field.split(separator: "-")
            #expect(parts.map(\.count) == [2, 32, 16, 2])
            #expect(parts.count == 4 && parts[1] == trace && parts[3] == "00")
        }
    }

    @Test(
        "starts a new trace for an invalid parent",
        arguments: [
            "", "4bf92f", "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        ]
    )
    func invalidTrace(text: String) async throws {
        endpoint.interceptors = [TraceContext { text }]
        _ = try await endpoint.value(for: TextRequest(path: "text", method: .get))
        let field = try #require(server.requests.first?.header("traceparent"))
        #expect(field.utf8.count == 55 && field.hasPrefix("00-") && field.hasSuffix("-01"))
        #expect(!field.contains("4bf92f3577b34da6a3ce929d0e0e4736"))
    }

    @Test("continues a trace of a later version")
    func laterVersion() async throws {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        endpoint.interceptors = [TraceContext { "01-\(trace)-00f067aa0ba902b7-03-more" }]
        _ = try await endpoint.value(for: TextRequest(path: "text", method: .get))
        let field = try #require(server.requests.first?.header("traceparent"))
        #expect(field.hasPrefix("00-\(trace)-") && field.hasSuffix("-01"))
    }
}

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
