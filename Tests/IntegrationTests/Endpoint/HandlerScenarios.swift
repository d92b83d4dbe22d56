import Foundation
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit

/// What stood before and behind each send in other libraries.
@Suite("Preprocessors and error handlers", .timeLimit(.minutes(15)))
struct HandlerScenarios {
    private struct Text: Request {
        typealias ResponseObjectType = String
        var path = "text"
        var headers: HTTPHeaders = [:]
    }

    private struct NoToken: Error, Equatable {}

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/text") { request in
            switch request.header("Authorization") {
            case "Bearer good": .text("plain")
            case "Bearer weak": .json(text: #"{"message":"not for you"}"#, status: 403)
            default: .json(text: #"{"message":"who are you"}"#, status: 401)
            }
        }
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
    }

    private var sent: [String?] { server.requests.map { $0.header("Authorization") } }

    // MARK: Before each send

    @Test("adds a missing field before each attempt, and keeps an existing one")
    func preprocessor() async throws {
        let tokens = Locked(["good", "first"])
        endpoint.interceptors = [
            DefaultFields {
                // The token's store may be asked and waited for.
                await Task.yield()
                let token = tokens.withLock { $0.popLast() } ?? "none"
                return ["Authorization": "Bearer \(token)"]
            }
        ]
        server.enqueue(.status(503))
        #expect(try await endpoint.value(for: Text()) == "plain")
        #expect(sent == ["Bearer first", "Bearer good"])
        _ = try await endpoint.value(for: Text(headers: ["Authorization": "Bearer good"]))
        #expect(sent.last == "Bearer good")
    }

    @Test("can replace an existing field")
    func rewriting() async throws {
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                var request = request
                request.headers["Authorization"] = "Bearer good"
                return try await next(request)
            }
        ]
        _ = try await endpoint.value(for: Text(headers: ["Authorization": "Bearer weak"]))
        #expect(sent == ["Bearer good"])
    }

    @Test("prevents the request by throwing")
    func throwing() async throws {
        endpoint.interceptors = [DefaultFields { throw NoToken() }]
        let error = await Text().execute(on: endpoint).failure
        guard case .interceptor(let thrown) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(thrown is NoToken)
        #expect(server.acceptedConnectionCount == 0)
    }

    // MARK: Behind a failure

    @Test("retries a call once after handling its failure")
    func handled() async throws {
        endpoint.interceptors = [TokenRetry("good")]
        let operation = Text().execute(on: endpoint)
        #expect(try await operation.value == "plain")
        #expect(sent == [nil, "Bearer good"])
        #expect(operation.history.map(\.next) == [.interceptor, .done])
    }

    @Test("reports a second failure, and keeps the first in the history")
    func secondFailure() async throws {
        endpoint.interceptors = [TokenRetry("weak")]
        let operation = Text().execute(on: endpoint)
        let error = await operation.failure
        #expect(error?.message == "not for you")
        #expect(
            operation.history.map(\.outcome) == [.response(.unauthorized), .response(.forbidden)]
        )
        #expect(operation.history.map(\.next) == [.interceptor, .stop(.notTransient)])
        #expect(
            operation.history.first.map { "\($0)" }?.hasPrefix("attempt 1: 401 Unauthorized in ")
                == true
        )
        #expect(
            operation.history.first?.description.hasSuffix(", sent again by an interceptor") == true
        )
    }

    @Test("keeps the original failure when it can't be handled")
    func unhandled() async throws {
        endpoint.interceptors = [TokenRetry(nil)]
        let error = await Text().execute(on: endpoint).failure
        #expect(error?.message == "who are you")
        #expect(sent.count == 1)
    }

    @Test("keeps the original response when the handler fails")
    func failing() async throws {
        endpoint.authentication = BearerAuthentication(token: "old") { _ in throw NoToken() }
        let operation = Text().execute(on: endpoint)
        let error = await operation.failure
        guard case .interceptor(let thrown) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(thrown is NoToken)
        let original = try #require(operation.history.first?.unrecoveredResponse)
        #expect(original.status == .unauthorized)
        #expect(original.text == #"{"message":"who are you"}"#)
        #expect(
            operation.history.first?.description.contains(" after 401 Unauthorized in ") == true
        )
    }
}
