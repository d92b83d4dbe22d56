import Foundation
import NetKit
import NetKitPaging
import NetKitTesting
import Testing

/// What a call says of its attempts, and why another one followed or not.
@Suite("Call history", .timeLimit(.minutes(15)))
struct RetryScenarios {
    private struct Text: Request {
        typealias ResponseObjectType = Item
        var path = "text"
        var method: HTTPMethod = .get
        var headers: HTTPHeaders = [:]
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/text") { _ in .json(text: #"{"id":1}"#) }
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var method = HTTPMethod.get
        var retries: Int?
        var key: String?
        let answers: @Sendable () -> [MockResponse]
        let history: [String]

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "success", answers: { [] }, history: ["200 OK"]),
        Case(
            name: "a status that may pass",
            answers: { [.status(503)] },
            history: ["503 Service Unavailable, retried at once", "200 OK"]
        ),
        Case(
            name: "a status that stays",
            answers: { [.status(503), .status(503)] },
            history: [
                "503 Service Unavailable, retried at once",
                "503 Service Unavailable, not retried: the retries are used up (1)",
            ]
        ),
        Case(
            name: "a status that will not pass",
            answers: { [.status(404)] },
            history: ["404 Not Found, not retried: it would fail again"]
        ),
        Case(
            name: "a POST without consent",
            method: .post,
            answers: { [.status(503)] },
            history: [
                "503 Service Unavailable, not retried: POST may not be repeated without consent"
            ]
        ),
        Case(
            name: "a POST with consent",
            method: .post,
            retries: 2,
            answers: { [.status(500), .status(502)] },
            history: [
                "500 Internal Server Error, retried at once",
                "502 Bad Gateway, retried at once", "200 OK",
            ]
        ),
        Case(
            name: "a POST with a key of its own",
            method: .post,
            key: "mine",
            answers: { [.status(504)] },
            history: ["504 Gateway Timeout, retried at once", "200 OK"]
        ),
        Case(
            name: "a wait beyond the policy's maximum",
            answers: { [.status(429).header("Retry-After", "3600")] },
            history: [
                "429 Too Many Requests, not retried: the server asks for a delay of 3600 s, more than 60 s (RetryPolicy.maximumRetryAfter)"
            ]
        ),
        Case(
            name: "a value that does not decode",
            answers: { [.json(text: #"{"id":"x"}"#)] },
            history: ["200 OK"]
        ),
        Case(
            name: "a body that is cut",
            answers: { [.text("long").cutting(afterBodyBytes: 2)] },
            history: [
                "incomplete response, retried at once", "200 OK",
            ]
        ),
    ]

    @Test("records why each attempt was or wasn't followed by another", arguments: cases)
    func reasons(of item: Case) async throws {
        for answer in item.answers() { server.enqueue(answer) }
        let decisions = Journal()
        endpoint.observation.registerEvents { event in
            if case .attemptFinished(let trace) = event.kind { decisions.note("\(trace)") }
        }
        var request = Text(method: item.method)
        if let key = item.key { request.headers["Idempotency-Key"] = key }
        let operation =
            if let retries = item.retries {
                request.execute(on: endpoint, retrying: retries)
            } else {
                request.execute(on: endpoint)
            }
        _ = await operation.result
        let texts = operation.history.map { "\($0)" }
        let expected = item.history.enumerated().map { "attempt \($0 + 1): \($1)" }
        let plain = texts.map { text in
            text.replacing(/\ in [\d.]+ (µs|ms|s)\b/, with: "")
                // Each engine gives its own reason.
                .replacing(/incomplete response: [^,]*/, with: "incomplete response")
        }
        #expect(plain == expected)
        decisions.end()
        #expect(await decisions.entries == texts)
        #expect(server.requests.count == item.history.count)
        let keys = Set(server.requests.map { $0.header("Idempotency-Key") })
        let key = try #require(keys.count == 1 ? keys.first : nil)
        #expect(item.retries == nil ? key == item.key : key != nil)
    }

    private struct Append: Request {
        typealias ResponseObjectType = Void
        let path = "append"
        let method: HTTPMethod = .put
        var retryPolicy: RetryPolicy?
    }

    /// How often the server gets a request that it always answers with a 503.
    private func sends(_ style: (Append) async throws -> Void, _ request: Append) async -> Int {
        server.route("PUT", "/append") { _ in .status(503) }
        await #expect(throws: (any Error).self) { try await style(request) }
        return server.requests.count
    }

    private static func retries(_ count: Int) -> RetryPolicy {
        RetryPolicy(maximumRetries: count, backoff: .none)
    }

    @Test(
        "prefers the operation's count, then the request's policy, then the endpoint's",
        arguments: [
            (nil, .standard, nil, 2), (nil, retries(2), nil, 3), (.never, .standard, nil, 1),
            (.never, retries(2), 1, 2), (retries(3), .never, nil, 4), (retries(3), .never, 0, 1),
        ] as [(RetryPolicy?, RetryPolicy, Int?, Int)]
    )
    func precedence(own: RetryPolicy?, common: RetryPolicy, count: Int?, sent: Int) async {
        var common = common
        common.backoff = .none
        endpoint.retryPolicy = common
        let sends = await sends(
            { request in
                guard let count else { return try await endpoint.value(for: request) }
                try await request.execute(on: endpoint, retrying: count).value
            },
            Append(retryPolicy: own)
        )
        #expect(sends == sent)
    }

    @Test("follows the request's policy when retries are only switched on")
    func switchedOn() async {
        let sends = await sends(
            { try await endpoint.execute($0).retryOnFail(true).value },
            Append(retryPolicy: Self.retries(2))
        )
        #expect(sends == 3)
    }

    @Test("follows the request's policy in streams, batches, paging and polling")
    func otherCalls() async throws {
        let request = Append(retryPolicy: .never)
        let calls: [(Append) async throws -> Void] = [
            { _ = try await endpoint.stream($0) },
            { _ = try await endpoint.values(for: [$0])[0].get() },
            { _ = try await endpoint.execute(AnyRequest($0)).value },
            { for try await _ in endpoint.pages(of: $0) {} }, { _ = try await endpoint.poll($0) },
        ]
        for (index, call) in calls.enumerated() {
            #expect(await sends(call, request) == index + 1)
        }
    }

    @Test("gives each retry that an interceptor answers back to the host's budget")
    func unsentRetries() async throws {
        let stub = StubTransport()
        stub.on(.get, "/text") { _ in .status(503) }
        let endpoint = Endpoint(
            baseURL: try #require(URL(string: "https://a.test")),
            transport: stub,
            clock: ManualClock(skippingDelays: true)
        )
        endpoint.retryPolicy = RetryPolicy(maximumRetries: 2, backoff: .none)
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                guard RequestContext.current.attempt > 1 else { return try await next(request) }
                return HTTPResponse(to: request, status: .serviceUnavailable)
            }
        ]
        for _ in 0..<20 { _ = await Text().execute(on: endpoint).failure }
        #expect(stub.requests.count == 20)
        endpoint.interceptors = []
        _ = await Text().execute(on: endpoint).failure
        #expect(stub.requests.count == 20 + 3)
    }

    @Test("gives no retry back that is in flight when its call is stopped")
    func stoppedRetries() async throws {
        let endpoint = Endpoint(
            baseURL: server.baseURL,
            transport: TransportUnderTest.make(),
            clock: ManualClock(skippingDelays: true)
        )
        endpoint.retryPolicy = RetryPolicy(maximumRetries: 1, backoff: .none)
        endpoint.interceptors = [ClosureInterceptor { request, next in try await next(request) }]
        for number in 1...20 {
            server.enqueue(.status(503), .fault(.stall))
            let operation = Text().execute(on: endpoint)
            _ = try await server.waitForRequests(2 * number)
            operation.cancel()
            _ = await operation.result
        }
        server.enqueue(.status(503))
        #expect(await Text().execute(on: endpoint).failure != nil)
        #expect(server.requests.count == 41)
    }

    @Test("records a cancellation, and is empty for an invalid request")
    func ended() async throws {
        server.enqueue(.fault(.stall))
        let operation = Text().execute(on: endpoint)
        _ = try await server.waitForRequests(1)
        operation.cancel()
        _ = await operation.result
        #expect(operation.history.map(\.next) == [.stop(.callEnded)])
        let refused = Text(headers: ["a b": "c"]).execute(on: endpoint)
        _ = await refused.result
        #expect(refused.history.isEmpty)
    }

    @Test("reports each refreshed credential")
    func refreshed() async throws {
        server.route(nil, "/text") { request in
            request.header("Authorization") == "Bearer new"
                ? .json(text: #"{"id":1}"#) : .status(401)
        }
        endpoint.authentication = BearerAuthentication(token: "old") { _ in "new" }
        let recoveries = Journal()
        endpoint.observation.registerEvents { event in
            if case .refreshed(let recovery) = event.kind { recoveries.note("\(recovery)") }
        }
        let operation = Text().execute(on: endpoint)
        _ = try await operation.value
        recoveries.end()
        #expect(await recoveries.entries == ["refreshed"])
        #expect(operation.history.map(\.outcome) == [.response(.ok)])
    }
}
