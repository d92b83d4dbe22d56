import Dispatch
import Foundation
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit

@Suite("Bearer token authentication", .timeLimit(.minutes(15)))
struct AuthenticationScenarios {
    private struct Secret: Request {
        typealias ResponseObjectType = String
        var path = "secret"
        var headers: HTTPHeaders = [:]
    }

    private struct SignedOut: Error, Equatable {}

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        accept("new")
        server.route("POST", "/refresh") { _ in .text("new") }
    }

    private func accept(_ token: String) {
        server.route("GET", "/secret") { request in
            request.header("Authorization") == "Bearer \(token)" ? .text("ok") : .status(401)
        }
    }

    /// Accepts one token, and rejects another only when the gate is signaled: once for each call.
    private func accept(_ token: String, rejectingAfter gate: DispatchSemaphore) {
        server.route("GET", "/secret") { request in
            if request.header("Authorization") == "Bearer \(token)" { return .text("ok") }
            gate.wait()
            return .status(401)
        }
    }

    private func count(_ path: String) -> Int { server.requests.filter { $0.path == path }.count }

    @Test("leaves a request with a token of its own alone, in whatever field it is")
    func ownToken() async throws {
        let refreshed = Journal()
        endpoint.authentication = BearerAuthentication(token: "old") { _, _ in
            refreshed.note("refreshed")
            return "new"
        }
        let own = AuthToken.custom(key: "X-Key", token: "k")
        for request in [
            TextRequest(path: "secret", authToken: own),
            TextRequest(path: "secret", authToken: .bearer("guest")),
        ] {
            let error = await CallStyle.async.outcome(of: request, on: endpoint).error
            #expect(error?.kind == .server(401))
        }
        #expect(server.requests.map { $0.header("Authorization") } == [nil, "Bearer guest"])
        #expect(server.requests.first?.header("X-Key") == "k")
        refreshed.end()
        #expect(await refreshed.entries.isEmpty)
    }

    @Test(
        "refreshes once for twenty 401s with an empty body, then retries all calls"
    )
    func singleFlight() async throws {
        let stale = Journal()
        endpoint.authentication = BearerAuthentication(token: "old") { token, endpoint in
            stale.note(token ?? "none")
            return try await endpoint.value(
                for: DefaultRequest<String, ServerMessage>(path: "refresh", method: .post)
            )
        }
        try await withThrowingTaskGroup(of: String.self) { [endpoint] group in
            for _ in 0..<20 { group.addTask { try await endpoint.value(for: Secret()) } }
            for try await value in group { #expect(value == "ok") }
        }
        #expect(count("/refresh") == 1)
        #expect(server.requests.first { $0.path == "/refresh" }?.header("Authorization") == nil)
        let secrets = server.requests.filter { $0.path == "/secret" }
        let old = secrets.filter { $0.header("Authorization") == "Bearer old" }
        #expect(secrets.count - old.count == 20)
        stale.end()
        #expect(await stale.entries == ["old"])
        #expect((endpoint.authentication as? BearerAuthentication)?.token == "new")
    }

    @Test("fails all waiting calls once with the error of a failed refresh")
    func failedRefresh() async throws {
        let (gate, refreshes) = (DispatchSemaphore(value: 0), Journal())
        accept("new", rejectingAfter: gate)
        endpoint.authentication = BearerAuthentication(token: "old") { _ in
            refreshes.note("refresh")
            throw SignedOut()
        }
        // As many as fit on the connections to one host: all are sent before any is rejected.
        let operations = (0..<5).map { _ in Secret().execute(on: endpoint) }
        try await server.waitForRequests(operations.count)
        for _ in operations { gate.signal() }
        for operation in operations {
            let error = await operation.failure
            #expect(error?.underlying as? SignedOut == SignedOut())
        }
        #expect(server.requests.count == operations.count)
        refreshes.end()
        #expect(await refreshes.entries == ["refresh"])
    }

    @Test("fails without a loop when the new token is rejected too")
    func refusedAgain() async throws {
        accept("never")
        let refreshes = Journal()
        endpoint.authentication = BearerAuthentication(token: "old") { _ in
            refreshes.note("refresh")
            return UUID().uuidString
        }
        #expect(await Secret().execute(on: endpoint).failure?.statusCode == 401)
        #expect(server.requests.count == 2)
        refreshes.end()
        #expect(await refreshes.entries.count == 1)
    }

    @Test("finishes a refresh after its first caller is cancelled")
    func cancelled() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        endpoint.authentication = BearerAuthentication(token: "old") { _ in
            for await _ in gate { break }
            return "new"
        }
        let first = Secret().execute(on: endpoint)
        _ = try await server.waitForRequests(1)
        let second = Secret().execute(on: endpoint)
        let late = Secret().execute(on: endpoint)
        await eventually {
            (endpoint.authentication as? BearerAuthentication)?.isRefreshing == true
        }
        first.cancel()
        #expect(await first.failure?.kind == .cancelled)
        open.yield()
        #expect(try await second.value == "ok")
        #expect(try await late.value == "ok")
    }

    @Test("refreshes a token before it expires")
    func proactive() async throws {
        let ending = BearerToken("old", expires: Date(timeIntervalSinceNow: 10))
        endpoint.authentication = BearerAuthentication(initial: ending) { stale, _ in
            #expect(stale == "old")
            return BearerToken("new", expires: Date(timeIntervalSinceNow: 3600))
        }
        #expect(try await endpoint.value(for: Secret()) == "ok")
        #expect(server.requests.count == 1)
    }

    @Test("refreshes a token 30 seconds before it expires by the endpoint's clock")
    func expiration() async throws {
        let clock = ManualClock()
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            retryingCount: 0,
            clock: clock
        )
        let old = BearerToken("new", expires: Date(timeIntervalSinceNow: 3_600))
        let refreshes = Locked(0)
        endpoint.authentication = BearerAuthentication(initial: old) { _, _ in
            refreshes.withLock { $0 += 1 }
            return BearerToken("new", expires: .distantFuture)
        }
        for (advance, count) in [(0, 0), (3_560, 0), (20, 1), (3_600, 1)] {
            clock.advance(by: .seconds(advance))
            #expect(try await endpoint.value(for: Secret()) == "ok")
            #expect(refreshes.withLock { $0 } == count)
        }
    }

    @Test("keeps a request's own Authorization field")
    func ownCredential() async throws {
        endpoint.authentication = BearerAuthentication(token: "old") { _ in "new" }
        let request = Secret(headers: ["Authorization": "Bearer mine"])
        #expect(await request.execute(on: endpoint).failure?.statusCode == 401)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer mine"])
    }

    @Test(
        "sends no token with an unauthenticated request",
        arguments: CallStyle.allCases
    )
    func withoutCredentials(style: CallStyle) async throws {
        struct Public: Request {
            typealias ResponseObjectType = String
            let path = "public"
            let isAuthenticated = false
        }
        server.route("GET", "/public") { _ in .status(401) }
        endpoint.authentication = BearerAuthentication(token: "old") { _ in "new" }
        endpoint.headers.authToken = .custom(key: "X-Token", token: "t")
        endpoint.headers["X-App"] = "app"
        endpoint.headers["X-Customer"] = "c"
        endpoint.redaction = Redaction(headers: ["X-Customer"])
        let outcome = await style.outcome(of: Public(), on: endpoint)
        #expect(outcome.error?.statusCode == 401)
        let sent = try #require(server.requests.first)
        #expect(sent.header("Authorization") == nil && sent.header("X-Token") == nil)
        #expect(sent.header("X-Customer") == nil)
        #expect(sent.header("X-App") == "app")
        #expect(server.requests.count == 1)
    }

    @Test("sends the token only to the endpoint's origin, even after a redirect back")
    func origins() async throws {
        let other = try MockServer()
        other.route(nil, "/back") { [server] _ in
            .redirect(to: server.url("/secret").absoluteString)
        }
        other.route(nil, "/other") { _ in .text("other") }
        server.route("GET", "/away") { _ in .redirect(to: other.url("/back").absoluteString) }
        server.route("GET", "/here") { _ in .redirect(to: "/secret") }
        endpoint.authentication = BearerAuthentication(token: "new") { _ in "new" }
        let elsewhere = Secret(path: other.url("/other").absoluteString)
        #expect(try await endpoint.value(for: elsewhere) == "other")
        #expect(try await endpoint.value(for: Secret(path: "here")) == "ok")
        let returned = await Secret(path: "away").execute(on: endpoint).failure
        #expect(returned?.statusCode == 401)
        #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
        #expect(server.requests.last?.header("Authorization") == nil)
    }

    @Test("shares one refresh among several endpoints")
    func shared() async throws {
        let (gate, refreshes) = (DispatchSemaphore(value: 0), Journal())
        accept("new", rejectingAfter: gate)
        let authentication = BearerAuthentication(token: "old") { _ in
            refreshes.note("refresh")
            return "new"
        }
        let other = testEndpoint(baseURL: server.baseURL)
        endpoint.authentication = authentication
        other.authentication = authentication
        async let first = endpoint.value(for: Secret())
        async let second = other.value(for: Secret())
        try await server.waitForRequests(2)
        for _ in 0..<2 { gate.signal() }
        let values = try await [first, second]
        #expect(values == ["ok", "ok"])
        #expect(server.requests.count == 4)
        refreshes.end()
        #expect(await refreshes.entries == ["refresh"])
    }

    /// A scheme of a user's own, which signs the final body.
    private struct Signing: Authentication {
        func authenticate(_ request: inout EncodedRequest) async throws {
            var sum = 0
            if let reader = try request.body?.open() {
                var buffer = [UInt8](repeating: 0, count: 1024)
                while case let count = try buffer.withUnsafeMutableBytes({
                    try reader.read(into: $0)
                }),
                    count > 0
                {
                    sum += buffer[..<count].reduce(0) { $0 + Int($1) }
                }
                reader.close()
            }
            request.headers["X-Signature"] = "\(request.method) \(sum)"
        }
    }

    /// A scheme of a user's own, which sends whatever key it has.
    private struct Keyed: Authentication {
        let key: String

        func authenticate(_ request: inout EncodedRequest) async throws {
            request.headers["X-Key"] = key
        }
    }

    @Test("of a user's own can't send an invalid field", arguments: ["a\r\nX-Evil: 1", "a\0"])
    func invalidField(key: String) async throws {
        endpoint.authentication = Keyed(key: key)
        let error = await TextRequest(path: "x").execute(on: endpoint).failure
        #expect(error?.kind == .invalidRequest(.invalidHeader(name: "X-Key")))
        #expect(server.requests.isEmpty)
    }

    @Test("signs the final request and body after the interceptors")
    func signing() async throws {
        struct Add: Request {
            typealias ResponseObjectType = Void
            let path = "add"
            let method: HTTPMethod = .post
            let body: RequestBody? = .string("a")
        }
        server.route("POST", "/add") { _ in .status(204) }
        endpoint.authentication = Signing()
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                var request = request
                request.body = BodySource(Data("aa".utf8))
                return try await next(request)
            }
        ]
        try await endpoint.value(for: Add())
        #expect(server.requests.first?.header("X-Signature") == "POST 194")
        #expect(server.requests.first?.text == "aa")
    }
}
