import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

/// What the order of the layers means to those who use them.
@Suite("Engine layers", .timeLimit(.minutes(15)))
struct LayerScenarios {
    private struct Text: Request {
        typealias ResponseObjectType = String
        var path = "text"
    }

    /// Marks every request that passes it, and notes it.
    private struct Marker: Interceptor {
        let scope: InterceptorScope
        let seen: Locked<[String]>

        func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
            let token = request.headers["Authorization"] ?? "no token"
            var marked = request
            marked.headers[HTTPHeaderName("X-\(scope)")] = "\(scope)"
            let response = try await next(marked)
            let line = "\(request.url.path) \(token): \(response.statusCode)"
            seen.withLock { $0.append(line) }
            return response
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 1)
        endpoint.retryPolicy.backoff = .none
    }

    @Test(
        "passes each exchange to exchange interceptors, and each attempt once to the others"
    )
    func scopes() async throws {
        let (attempts, exchanges) = (Locked<[String]>([]), Locked<[String]>([]))
        endpoint.interceptors = [
            Marker(scope: .exchange, seen: exchanges), Marker(scope: .attempt, seen: attempts),
        ]
        endpoint.authentication = BearerAuthentication(token: "old") { _, _ in "new" }
        server.enqueue(.redirect(to: "/other"), .status(401), .status(503), .text("ok"))
        #expect(try await endpoint.value(for: Text()) == "ok")
        #expect(
            exchanges.withLock { $0 } == [
                "/text Bearer old: 302", "/other Bearer old: 401", "/other Bearer new: 503",
                "/text Bearer new: 200",
            ]
        )
        #expect(attempts.withLock { $0 } == ["/text no token: 503", "/text no token: 200"])
        for request in server.requests {
            #expect(request.header("X-exchange") == "exchange")
            #expect(request.header("X-attempt") == "attempt")
        }
    }

    @Test("lets an interceptor send a stream's request again until its head arrives")
    func retriedStream() async throws {
        endpoint.interceptors = [TokenRetry("new")]
        server.enqueue(.status(401), .text("one\ntwo"))
        let lines = try await endpoint.stream(Text()).lines.reduce(into: []) { $0.append($1) }
        #expect(lines == ["one", "two"])
        #expect(server.requests.last?.header("Authorization") == "Bearer new")
    }

    @Test("notifies typed observers of a stream without a head")
    func observedStream() async throws {
        let seen = Locked<[HTTPStatus?]>([])
        endpoint.observation.register(for: Text.self) { _, outcome in
            if case .failure(let error) = outcome {
                seen.withLock { $0.append(error.response?.status) }
            }
        }
        server.enqueue(.status(404))
        await #expect(throws: ErrorResponse<ServerMessage>.self) {
            _ = try await endpoint.stream(Text())
        }
        #expect(seen.withLock { $0 } == [.notFound])
    }

    @Test(
        "delivers an interceptor's response to a value, a stream and a file without sending"
    )
    func ownAnswer() async throws {
        endpoint.interceptors = [
            ClosureInterceptor { request, _ in
                HTTPResponse(to: request, status: .ok, body: Data("own".utf8))
            }
        ]
        let response = try await endpoint.response(for: Text())
        #expect(response.value == "own")
        #expect(response.attempts == 0)
        let stream = try await endpoint.stream(Text())
        #expect(try await stream.reduce(Data(), +) == Data("own".utf8))
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "file")
        _ = try await endpoint.value(for: Text().download(to: file))
        #expect(try Data(contentsOf: file) == Data("own".utf8))
        #expect(server.requests.isEmpty)
    }

    @Test("delivers an interceptor's replacement for a failure to a download and a stream")
    func replacedAnswer() async throws {
        endpoint.retryingCount = 0
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                let response = try await next(request)
                guard response.status == .notFound else { return response }
                return HTTPResponse(to: request, status: .ok, body: Data("own".utf8))
            }
        ]
        server.enqueue(.status(404), .status(404))
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "file")
        _ = try await endpoint.value(for: Text().download(to: file))
        #expect(try Data(contentsOf: file) == Data("own".utf8))
        let stream = try await endpoint.stream(Text())
        #expect(try await stream.reduce(Data(), +) == Data("own".utf8))
    }

    @Test("blocks an exchange interceptor that sends a credential to another origin")
    func otherOrigin() async throws {
        let other = try MockServer()
        endpoint.authentication = BearerAuthentication(token: "t") { _, _ in "new" }
        endpoint.interceptors = [Mover(url: other.url("/text"))]
        let error = await Text().execute(on: endpoint).failure
        guard case .invalidRequest(let invalid) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(invalid)".contains("an interceptor of the scope .exchange"))
        #expect(other.requests.isEmpty && server.requests.isEmpty)
    }

    private struct Mover: Interceptor {
        let scope = InterceptorScope.exchange
        let url: URL

        func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
            var moved = request
            moved.url = url
            return try await next(moved)
        }
    }

    @Test("never resends a stream once it has begun")
    func secondStream() async throws {
        endpoint.retryingCount = 0
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                do { return try await next(request) } catch { return try await next(request) }
            }
        ]
        server.enqueue(.text("half and half").cutting(afterBodyBytes: 4), .text("whole"))
        let stream = try await endpoint.stream(Text())
        var body = Data()
        await #expect(throws: StreamFailure.self) {
            for try await chunk in stream { body += chunk }
        }
        #expect(body == Data("half".utf8))
        #expect(server.requests.count == 1)
    }

    @Test("pauses only the host that sent Retry-After, even behind a redirect")
    func pausedHost() async throws {
        let other = try MockServer()
        let clock = ManualClock(skippingDelays: true)
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            retryingCount: 1,
            clock: clock
        )
        server.enqueue(.redirect(to: "\(other.baseURL)/text"), .text("ok"))
        other.enqueue(.status(503).header("Retry-After", "60"))
        // The retry goes to the first host, which never asked for a pause.
        #expect(try await endpoint.value(for: Text()) == "ok")
        #expect(clock.skippedDelays == [.seconds(60)])
    }
}
