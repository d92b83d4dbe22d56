import Dispatch
import Foundation
import NetKitPaging
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit

@Suite("Polling", .timeLimit(.minutes(15)))
struct PollingScenarios {
    private struct Report: Request {
        typealias ResponseObjectType = Item
        typealias ErrorType = APIError
        let path = "reports/{id}"
        var method: HTTPMethod = .post
        var headers: HTTPHeaders = ["Idempotency-Key": "i", "X-App": "app", .cookie: "c=1"]
        var retryPolicy: RetryPolicy?
        let responseConverter: (any ResponseJSONConverter)? = KeyPathResponseConverter(path: "data")
        @Path("id") var id = 7
        @Object var order = ["kind": "pdf"]
    }

    private let server: MockServer
    private let other: MockServer
    private let endpoint: Endpoint
    private let clock = ManualClock(skippingDelays: true)

    init() throws {
        server = try MockServer()
        other = try MockServer()
        endpoint = Self.endpoint(server, clock)
        endpoint.headers.authToken = .bearer("t")
    }

    private static func endpoint(_ server: MockServer, _ clock: ManualClock) -> Endpoint {
        Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            retryingCount: 0,
            clock: clock
        )
    }

    private let done = MockResponse.json(text: #"{"data":{"id":3}}"#)

    private func pending(_ location: String? = nil, retryAfter: String? = nil) -> MockResponse {
        // A body that is not the value, and that no converter may see.
        var response = MockResponse.text("not yet", status: 202)
        if let location { response = response.header("Location", location) }
        if let retryAfter { response = response.header("Retry-After", retryAfter) }
        return response
    }

    private func failure(
        _ request: Report = Report(),
        followsOtherOrigins: Bool? = nil
    ) async -> (any Error)? {
        do {
            if let followsOtherOrigins {
                _ = try await endpoint.poll(request, followsOtherOrigins: followsOtherOrigins)
            } else {
                _ = try await endpoint.poll(request)
            }
            return nil
        } catch {
            return error
        }
    }

    @Test("polls the Location with GET until the result is ready")
    func location() async throws {
        server.enqueue(pending("/jobs/1?x=%7B"), pending(), pending("2", retryAfter: "5"), done)
        let response = try await endpoint.poll(Report())
        #expect(response.value == Item(id: 3))
        #expect(response.attempts == 4)
        let outcomes = response.history.map(\.outcome)
        #expect(outcomes == [202, 202, 202, 200].map { .response($0) })
        #expect(response.duration == .milliseconds(1_000 + 1_500 + 5_000))
        #expect(clock.skippedDelays == [.seconds(1), .milliseconds(1_500), .seconds(5)])
        #expect(
            server.requests.map { "\($0.method) \($0.target)" } == [
                "POST /reports/7", "GET /jobs/1?x=%7B", "GET /jobs/1?x=%7B", "GET /jobs/2",
            ]
        )
        for request in server.requests.dropFirst() {
            #expect(request.bodyLength == 0)
            #expect(request.header("Content-Type") == nil)
            #expect(request.header("Idempotency-Key") == nil)
            #expect(request.header("X-App") == "app")
            #expect(request.header("Cookie") == "c=1")
            #expect(request.header("Authorization") == "Bearer t")
            #expect(request.header("Accept") == "application/json")
        }
    }

    @Test("reports a request that can't be sent, as any call does")
    func unsendable() async throws {
        struct Upload: Request {
            typealias ResponseObjectType = Item
            let path = "reports"
            let method = HTTPMethod.post
            let body: RequestBody? = .file(URL(fileURLWithPath: "/nowhere"))
        }
        let ends = Locked(0)
        let token = endpoint.observation.registerEvents { (event: CallEvent) in
            if case .finished = event.kind { ends.withLock { $0 += 1 } }
        }
        await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await endpoint.poll(Upload())
        }
        await #expect(throws: ErrorResponse<ServerMessage>.self) {
            for try await _ in endpoint.pages(of: Upload()) {}
        }
        withExtendedLifetime(token) {}
        #expect(ends.withLock { $0 } == 2)
        #expect(server.requests.isEmpty)
    }

    @Test("waits until the date that the server says, by the server's own clock")
    func date() async throws {
        let second = "Sun, 06 Nov 1994 08:49:42 GMT"
        let first = pending(retryAfter: second).header("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
        server.enqueue(first, done)
        _ = try await endpoint.poll(Report())
        #expect(clock.skippedDelays == [.seconds(5)])
    }

    @Test("makes one call when the result is ready at once")
    func atOnce() async throws {
        server.enqueue(done)
        #expect(try await endpoint.poll(Report()).value == Item(id: 3))
        #expect(clock.skippedDelays.isEmpty)
        #expect(server.requests.count == 1)
    }

    @Test("polls the same URL without a Location, or the first Content-Location")
    func addresses() async throws {
        server.enqueue(pending(), pending().header("Content-Location", "/x"), done)
        _ = try await endpoint.poll(Report(method: .put))
        #expect(
            server.requests.map { "\($0.method) \($0.target)" }
                == ["PUT /reports/7", "GET /reports/7", "GET /reports/7"]
        )
        server.enqueue(pending().header("Content-Location", "/status/1"), pending(), done)
        _ = try await endpoint.poll(Report())
        #expect(
            server.requests.suffix(3).map(\.target) == ["/reports/7", "/status/1", "/status/1"]
        )
    }

    @Test("sends a precondition only with the request's own GET")
    func preconditions() async throws {
        let headers: HTTPHeaders = [.ifMatch: "\"a\"", .range: "bytes=0-"]
        var sent: [[String]] = []
        for (method, location) in [(HTTPMethod.get, nil), (.get, "/jobs/1"), (.put, nil)] {
            server.enqueue(pending(location), .json(text: #"{"id":3}"#))
            let request = DefaultRequest<Item, APIError>(
                path: "reports",
                method: method,
                headers: headers
            )
            _ = try await endpoint.poll(request)
            sent.append(
                server.requests.suffix(2)
                    .map { "\($0.header("If-Match") ?? "") \($0.header("Range") ?? "")" }
            )
        }
        let all = "\"a\" bytes=0-"
        #expect(sent == [[all, all], [all, " "], [all, " "]])
    }

    @Test("retries its GET if the request's policy retries the request")
    func retries() async throws {
        var policy = RetryPolicy(maximumRetries: 2, backoff: .none, methods: [.post])
        let busy = MockResponse.status(503)
        server.enqueue(busy, pending("/jobs/1"), busy, pending(), busy, busy, done)
        let request = Report(headers: [:], retryPolicy: policy)
        #expect(try await endpoint.poll(request).value == Item(id: 3))
        #expect(
            server.requests.map(\.method) == ["POST", "POST"] + Array(repeating: "GET", count: 5)
        )
        policy.methods = []
        server.enqueue(pending("/jobs/1"), busy)
        let error = await failure(Report(headers: [:], retryPolicy: policy))
        #expect((error as? ErrorResponse<APIError>)?.status == 503)
    }

    @Test("repeats nothing that an interceptor adds to the URL")
    func addedQuery() async throws {
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                var request = request
                request.url.append(path: "v2")
                request.url.append(queryItems: [URLQueryItem(name: "key", value: "k")])
                return try await next(request)
            }
        ]
        server.enqueue(pending(), pending(), done)
        _ = try await endpoint.poll(Report())
        #expect(server.requests.map(\.target) == Array(repeating: "/reports/7/v2?key=k", count: 3))
    }

    @Test("polls the URL that answered, even if the request has another one each time")
    func changingURL() async throws {
        struct Signed: Request {
            typealias ResponseObjectType = Item
            var path: String { "signed/\(count.withLock { $0 += 1; return $0 })" }
            let count = Locked(0)
            let responseConverter: (any ResponseJSONConverter)? =
                KeyPathResponseConverter(path: "data")
        }
        server.enqueue(pending(), pending(), done)
        _ = try await endpoint.poll(Signed())
        let targets = server.requests.map(\.target)
        #expect(targets.count == 3 && Set(targets).count == 1)
    }

    @Test("keeps the query that a redirect adds to the URL", arguments: [true, false])
    func redirectedQuery(toGet: Bool) async throws {
        struct Job: Request {
            typealias ResponseObjectType = Item
            let path = "reports/7"
            let method = HTTPMethod.get
            let responseConverter: (any ResponseJSONConverter)? =
                KeyPathResponseConverter(path: "data")
        }
        server.enqueue(.redirect(to: "/reports/7?job=1", status: 303), pending(), done)
        if toGet {
            _ = try await endpoint.poll(Report())
        } else {
            _ = try await endpoint.poll(Job())
        }
        #expect(
            server.requests.map(\.target)
                == ["/reports/7", "/reports/7?job=1", "/reports/7?job=1"]
        )
    }

    @Test("follows a redirect from the status to the result")
    func seeOther() async throws {
        server.enqueue(pending("/jobs/1"), .redirect(to: "/results/1", status: 303), done)
        let response = try await endpoint.poll(Report())
        #expect(response.value == Item(id: 3))
        #expect(response.http.url.path == "/results/1")
    }

    @Test("fails with the typed error of any rejection")
    func refused() async throws {
        let refusal = MockResponse.json(text: #"{"message":"no"}"#, status: 409)
        server.enqueue(refusal)
        let first = await failure() as? ErrorResponse<APIError>
        #expect(first?.serverError == APIError(message: "no"))
        server.enqueue(pending("/jobs/1"), refusal)
        let later = await failure() as? ErrorResponse<APIError>
        #expect(later?.serverError == APIError(message: "no"))
        server.enqueue(pending("/jobs/1"), .json(text: "{}"))
        guard case .decoding = await failure() as? ErrorResponse<APIError> else {
            Issue.record("decoded")
            return
        }
    }

    @Test("stops when the next request would exceed the deadline")
    func limit() async throws {
        let pending = pending("/jobs/1")
        server.route(nil, "/*") { _ in pending }
        await #expect(throws: PollingFailure.notReady(after: .seconds(9))) {
            try await endpoint.poll(
                Report(),
                backoff: .constant(.seconds(3)),
                deadline: .seconds(9)
            )
        }
        #expect(server.requests.count == 4)
        #expect(clock.skippedDelays == [.seconds(3), .seconds(3), .seconds(3)])
        // What the server asks for counts, and nobody waits in vain.
        server.enqueue(self.pending("/jobs/1", retryAfter: "601"))
        #expect(await failure() as? PollingFailure == .notReady(after: .seconds(600)))
        #expect(server.requests.count == 5)
        #expect(clock.skippedDelays.count == 3)
    }

    @Test("stops at a Location at another origin, or follows it without credentials")
    func otherOrigin() async throws {
        server.enqueue(pending("\(other.baseURL)/jobs/1?key=secret"))
        #expect(await failure() as? PollingFailure == .otherOrigin("\(other.baseURL)/jobs/1?key"))
        #expect(other.requests.isEmpty)

        endpoint.queryParams = [("key", "k")]
        server.enqueue(pending("\(other.baseURL)/jobs/1"))
        other.enqueue(pending("\(server.baseURL)/jobs/2"))
        server.enqueue(done)
        #expect(await failure(followsOtherOrigins: true) == nil)
        for request in other.requests + server.requests.suffix(1) {
            #expect(request.header("Authorization") == nil)
            #expect(request.header("Cookie") == nil)
            #expect(request.queryValue("key") == nil)
            #expect(request.header("X-App") == "app")
        }
        server.enqueue(pending("ftp://127.0.0.1/x"))
        #expect(await failure() as? PollingFailure == .invalidLocation("ftp://127.0.0.1/x"))
    }

    @Test(
        "stops at once when cancelled, in a delay or a request",
        arguments: [false, true],
        [false, true]
    )
    func cancelling(all: Bool, isWaiting: Bool) async throws {
        server.enqueue(pending("/jobs/1", retryAfter: isWaiting ? "300" : nil))
        if !isWaiting { server.enqueue(.fault(.stall)) }
        let clock = ManualClock(skippingDelays: !isWaiting)
        let endpoint = Self.endpoint(server, clock)
        let isAnswered = Locked(false)
        endpoint.observation.registerEvents { event in
            if case .finished = event.kind { isAnswered.withLock { $0 = true } }
        }
        let task = Task { try await endpoint.poll(Report()).value }
        if isWaiting {
            await eventually { isAnswered.withLock { $0 } }
            try await clock.waitForWaiters(1)
        } else {
            try await server.waitForRequests(2)
        }
        if all { endpoint.cancelAllRequests() } else { task.cancel() }
        do {
            _ = try await task.value
            Issue.record("no error")
        } catch let error as ErrorResponse<APIError> {
            guard case .cancelled = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(server.requests.count == (isWaiting ? 1 : 2))
    }

    @Test("stops in a request that begins while all requests are canceled")
    func cancellingBetween() async throws {
        let endpoint = endpoint
        let calls = Locked<[CallControl]>([])
        let isCancelled = DispatchSemaphore(value: 0)
        server.route("POST", "/reports/7") { [pending = pending("/jobs/1")] _ in
            calls.withLock { $0 = endpoint.calls.withLock { $0.controls } }
            return pending
        }
        server.route("GET", "/jobs/1") { [done] _ in
            isCancelled.wait()
            return done
        }
        let task = Task { try await endpoint.poll(Report()).value }
        try await server.waitForRequests(2)
        // What cancelAllRequests() does if it doesn't know the second request yet.
        for call in calls.withLock({ $0 }) { call.stop(.cancelled) }
        isCancelled.signal()
        let error = await #expect(throws: ErrorResponse<APIError>.self) { try await task.value }
        #expect(error?.isCancellation == true)
    }

    @Test("rejects a download")
    func download() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        do {
            _ = try await endpoint.poll(Report().download(to: file))
            Issue.record("no error")
        } catch let error as ErrorResponse<APIError> {
            #expect(error.kind == .transport(.unsupported))
        }
        #expect(server.requests.isEmpty)
    }
}
