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
