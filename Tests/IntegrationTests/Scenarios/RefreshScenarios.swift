import Foundation
import NetKitPaging
import NetKitTesting
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Bearer token refresh", .timeLimit(.minutes(15)))
struct RefreshScenarios {
    private struct Secret: Request {
        typealias ResponseObjectType = String
        let path = "secret"
    }

    private struct Token: Request {
        typealias ResponseObjectType = String
        var path = "token"
    }

    private struct SharedToken: Request {
        typealias ResponseObjectType = String
        let path = "shared"
        let isCoalesced = true
    }

    /// How a refresh gets its token from an endpoint.
    enum Use: String, CaseIterable, Sendable {
        case value, response, operation, closures, laterClosures, values, batch, batchClosures
        case stream, events, pages, polling, coalesced

        func token(from endpoint: Endpoint) async throws -> String {
            let request = Token()
            switch self {
            case .value: return try await endpoint.value(for: request)
            case .response: return try await endpoint.response(for: request).value
            case .operation: return try await request.execute(on: endpoint).value
            case .closures:
                return try await withCheckedThrowingContinuation { continuation in
                    request.execute(on: endpoint)
                        .onSuccess { continuation.resume(returning: $0) }
                        .onFail { continuation.resume(throwing: $0) }
                }
            case .laterClosures:
                return try await withCheckedThrowingContinuation { continuation in
                    let first = request.execute(on: endpoint).response(on: .global())
                    first.onFail { continuation.resume(throwing: $0) }
                    first.onSuccess { _ in
                        request.execute(on: endpoint)
                            .onSuccess { continuation.resume(returning: $0) }
                            .onFail { continuation.resume(throwing: $0) }
                    }
                }
            case .values:
                return try await endpoint.values(for: [request, request])[1].get()
            case .batch:
                return try await endpoint.execute([request, request]).results[1].get()
            case .batchClosures:
                return try await withCheckedThrowingContinuation { continuation in
                    endpoint.execute([request, request])
                        .onCompletion { _ in
                            endpoint.execute([request])
                                .onCompletion { continuation.resume(with: $0[0]) }
                        }
                }
            case .stream:
                return try await endpoint.stream(request).lines.reduce("", +)
            case .events:
                var events = endpoint.events(for: Token(path: "events")).makeAsyncIterator()
                return try await events.next()?.data ?? "none"
            case .pages:
                return try await endpoint.pages(of: request).reduce("") { $0 + $1.value }
            case .polling:
                let job = Token(path: "job")
                return try await endpoint.poll(job, backoff: .none).value
            case .coalesced: return try await endpoint.value(for: SharedToken())
            }
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        server.route("GET", "/secret") { request in
            request.header("Authorization") == "Bearer new" ? .text("ok") : .status(401)
        }
        server.route("GET", "/shared") { request in
            switch request.header("Authorization") {
            case nil: .text("new")
            case "Bearer new": .text("ok")
            default: .status(401)
            }
        }
        server.route("GET", "/job") { _ in .status(202).header("Location", "/token") }
        server.route("GET", "/events") { _ in
            .data(Data("data: new\n\n".utf8), contentType: "text/event-stream")
        }
        server.route("GET", "/token") { request in
            request.header("Authorization") == nil ? .text("new") : .status(403)
        }
    }

    @Test("ends with its closure: a task that outlives it sends the new token")
    func outlivingTask() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let later = Locked<Task<String, any Error>?>(nil)
        endpoint.authentication = BearerAuthentication(token: "old") { [weak endpoint] _ in
            let endpoint = try #require(endpoint)
            later.withLock { later in
                later = Task {
                    for await _ in gate {}
                    return try await endpoint.value(for: Secret())
                }
            }
            return try await endpoint.value(for: Token())
        }
        #expect(try await endpoint.value(for: Secret()) == "ok")
        opener.finish()
        let task = try #require(later.withLock { $0 })
        #expect(try await task.value == "ok")
    }

    @Test("can use the endpoint it refreshes, by any kind of call", arguments: Use.allCases)
    func sameEndpoint(use: Use) async throws {
        endpoint.authentication = BearerAuthentication(token: "old") { [weak endpoint] _ in
            try await use.token(from: #require(endpoint))
        }
        #expect(try await endpoint.value(for: Secret()) == "ok")
    }

    @Test("can use the endpoint passed to it, by any kind of call", arguments: Use.allCases)
    func givenEndpoint(use: Use) async throws {
        endpoint.authentication = BearerAuthentication(token: "old") { _, endpoint in
            try await use.token(from: endpoint)
        }
        #expect(try await endpoint.value(for: Secret()) == "ok")
    }

    @Test("doesn't join a coalesced transfer that waits for it")
    func coalesced() async throws {
        endpoint.authentication = BearerAuthentication(token: "old") { [weak endpoint] _ in
            try await Use.coalesced.token(from: #require(endpoint))
        }
        #expect(try await endpoint.value(for: SharedToken()) == "ok")
    }

    @Test("ends when two refreshes would wait for each other")
    func circle() async throws {
        let other = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        let begun = Locked(0)
        /// A refresh that needs the other endpoint, when both have begun.
        func authentication(using endpoint: Endpoint) -> BearerAuthentication {
            BearerAuthentication(token: nil, refreshingOn: [401]) { [weak endpoint] _ in
                begun.withLock { $0 += 1 }
                await eventually { begun.withLock { $0 } >= 2 }
                return try await endpoint?.value(for: Secret()) ?? ""
            }
        }
        server.route("GET", "/secret") { _ in .status(401) }
        endpoint.authentication = authentication(using: other)
        other.authentication = authentication(using: endpoint)
        let calls = [endpoint, other]
            .map { endpoint in Task { try await endpoint.value(for: Secret()) } }
        for call in calls {
            await #expect(throws: ErrorResponse<ServerMessage>.self) { try await call.value }
        }
    }

    @Test("receives an endpoint with the same settings and no authentication")
    func likeness() async throws {
        endpoint.headers = ["X-App": "app"]
        endpoint.retryPolicy = .never
        let seen = Journal()
        endpoint.authentication = BearerAuthentication(token: "old") { stale, endpoint in
            seen.note(stale ?? "none")
            seen.note("\(endpoint.baseURL)")
            seen.note(endpoint.authentication == nil ? "no authentication" : "authentication")
            seen.note("\(endpoint.retryPolicy.maximumRetries) retries")
            // Its settings are its own.
            endpoint.headers["X-Refresh"] = "yes"
            return try await endpoint.value(for: Token())
        }
        #expect(try await endpoint.value(for: Secret()) == "ok")
        seen.end()
        #expect(
            await seen.entries == ["old", "\(server.baseURL)", "no authentication", "0 retries"]
        )
        let refresh = try #require(server.requests.first { $0.path == "/token" })
        #expect(refresh.header("X-App") == "app")
        #expect(refresh.header("X-Refresh") == "yes")
        #expect(server.requests.last?.header("X-Refresh") == nil)
    }

    /// How a refresh of another error type than its call's can fail.
    private static let failures: [(MockResponse, FailureKind)] = [
        (.fault(.closeBeforeHead), .transport(.connectionLost)),
        (.json(text: #"{"message":"no","code":7}"#, status: 403), .interceptor),
        (.text("no", status: 403), .interceptor),
    ]

    @Test("fails the call with its own failure, whatever the error type", arguments: failures)
    func failing(answer: MockResponse, expected: FailureKind) async throws {
        struct Refused: ServerError, Decodable { let message: String }
        struct StrictToken: Request {
            typealias ResponseObjectType = String
            typealias ErrorType = Refused
            let path = "token"
        }
        server.route("GET", "/token") { _ in answer }
        endpoint.authentication = BearerAuthentication(token: "old") { _, endpoint in
            try await endpoint.value(for: StrictToken())
        }
        let failure = try #require(await Secret().execute(on: endpoint).failure)
        #expect(failure.kind == expected)
        guard case .interceptor(let underlying) = failure else { return }
        // The answer to the refresh, which is not the call's.
        #expect(failure.response == nil)
        #expect((underlying as? any CallError)?.response?.statusCode == 403)
        #expect(failure.message.contains("no"))
    }

    @Test("names itself in the error, and the call that waited for it")
    func words() async throws {
        func failure(
            _ refresh: @escaping @Sendable (Endpoint) async throws -> String
        ) async throws -> ErrorResponse<ServerMessage> {
            endpoint.authentication = BearerAuthentication(token: "old") { _, endpoint in
                try await refresh(endpoint)
            }
            return try #require(await Secret().execute(on: endpoint).failure)
        }
        let call = "GET \(server.baseURL)/secret: "
        let words = "the token refresh failed: "
        let foundation = try await failure { _ in throw URLError(.badServerResponse) }
        #expect(foundation.message == words + "bad server response (URLError -1011)")
        #expect("\(foundation)" == call + foundation.message)
        guard case .interceptor(let thrown as URLError) = foundation else {
            Issue.record("\(foundation)")
            return
        }
        #expect(thrown.code == .badServerResponse)

        server.route("GET", "/token") { _ in .json(text: #"{"message":"no"}"#, status: 400) }
        let refused = try await failure { try await $0.value(for: Token()) }
        #expect(refused.message == words + "no")
        #expect("\(refused)" == call + words + "GET \(server.baseURL)/token: 400 Bad Request")

        server.route("GET", "/token") { _ in .fault(.closeBeforeHead) }
        let lost = try await failure { try await $0.value(for: Token()) }
        #expect(lost.message.hasPrefix(words + "connection lost"))
        #expect(
            "\(lost)".hasPrefix(call + words + "GET \(server.baseURL)/token: connection lost")
        )
    }

    @Test("is cancelled with the endpoint's calls")
    func cancelling() async throws {
        server.route("GET", "/token") { _ in .fault(.stall) }
        endpoint.authentication = BearerAuthentication(token: "old") { _, endpoint in
            try await endpoint.value(for: Token())
        }
        let operation = Secret().execute(on: endpoint)
        _ = try await server.waitForRequests(2)
        endpoint.cancelAllRequests()
        #expect(await operation.failure?.kind == .cancelled)
    }

    @Test(
        "is made again for the calls of other endpoints if that which started it is stopped",
        arguments: [false, true]
    )
    func stoppedElsewhere(isShutdown: Bool) async throws {
        let isFirst = Locked(true)
        server.route("GET", "/token") { _ in
            let stalls = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return stalls ? .fault(.stall) : .text("new")
        }
        let authentication = BearerAuthentication(token: "old") { _, endpoint in
            try await endpoint.value(for: Token())
        }
        endpoint.authentication = authentication
        let screen = endpoint.derived { _ in }
        let stopped = Secret().execute(on: screen)
        _ = try await server.waitForRequests(2)
        // It waits for the token before it is sent.
        let other = Secret().execute(on: endpoint)
        await eventually { authentication.waiterCount == 2 }
        if isShutdown { await screen.shutdown(deadline: .zero) } else { screen.cancelAllRequests() }
        #expect(await stopped.failure != nil)
        #expect(try await other.value == "ok")
    }

    /// An authentication of a user's own around another one.
    private struct Counting: Authentication {
        let base: BearerAuthentication
        let seen: Journal

        func authenticate(_ request: inout EncodedRequest) async throws {
            seen.note("request")
            try await base.authenticate(&request)
        }

        func recover(
            from response: HTTPResponse,
            to request: EncodedRequest
        ) async throws -> AuthenticationRecovery {
            try await base.recover(from: response, to: request)
        }
    }

    @Test("receives its endpoint through a wrapping authentication")
    func wrapped() async throws {
        let base = BearerAuthentication(token: "old") { _, endpoint in
            try await endpoint.value(for: Token())
        }
        let seen = Journal()
        endpoint.authentication = Counting(base: base, seen: seen)
        #expect(try await endpoint.value(for: Secret()) == "ok")
        seen.end()
        #expect(await seen.entries.count == 2)
    }

    // MARK: Memory

    /// Makes an endpoint, lets it refresh its token, and releases it.
    private func released(_ authentication: BearerAuthentication) async throws -> () -> Endpoint? {
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        endpoint.authentication = authentication
        #expect(try await endpoint.value(for: Secret()) == "ok")
        return { [weak endpoint] in endpoint }
    }

    @Test("doesn't retain its endpoint", arguments: [false, true])
    func deallocation(isExpiring: Bool) async throws {
        let authentication =
            if isExpiring {
                BearerAuthentication(initial: BearerToken("old", expires: .now)) { _, endpoint in
                    let token = try await endpoint.value(for: Token())
                    return BearerToken(token, expires: .distantFuture)
                }
            } else {
                BearerAuthentication(token: "old") { _, endpoint in
                    try await endpoint.value(for: Token())
                }
            }
        let endpoint = try await released(authentication)
        // Tasks that have ended may be about to let go of it.
        while endpoint() != nil, !Task.isCancelled { await Task.yield() }
        #expect(endpoint() == nil)
        #expect(authentication.token == "new")
    }
}
