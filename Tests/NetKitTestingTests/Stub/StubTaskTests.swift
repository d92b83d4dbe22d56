import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Reply closures", .timeLimit(.minutes(15)))
struct StubTaskTests {
    @TaskLocal private static var user = "nobody"

    private let stub = StubTransport()
    private let endpoint: Endpoint

    init() throws {
        endpoint = try Endpoint("https://nest.invalid", transport: stub)
        endpoint.retryPolicy.backoff = .none
    }

    private struct Get: Request {
        typealias ResponseObjectType = String
        let path = "x"
    }

    /// The ways to wait for a call.
    static let ways: [String: @Sendable (Endpoint) async throws -> String] = [
        "value(for:)": { try await $0.value(for: Get()) },
        "execute().value": { try await Get().execute(on: $0).value },
        "onSuccess": { endpoint in
            await withCheckedContinuation { continuation in
                Get().execute(on: endpoint)
                    .onSuccess { continuation.resume(returning: $0) }
                    .onFail { continuation.resume(returning: $0.message) }
            }
        },
        "stream": { endpoint in
            var text = ""
            for try await line in try await endpoint.stream(Get()).lines { text += line }
            return text
        },
    ]

    @Test("runs with the task-local values of the task that sent the request", arguments: ways.keys)
    func taskLocals(way: String) async throws {
        // A retry and a redirect are sent for the same task.
        stub.on(.get, "/x") { _ in .redirect(to: "/y") }
        stub.on(.get, "/x", atMost: 1) { _ in .status(503) }
        stub.on(.get, "/y") { _ in .text(Self.user) }
        let send = try #require(Self.ways[way])
        let answer = try await Self.$user.withValue("Ada") { try await send(endpoint) }
        #expect(answer == "Ada")
        #expect(stub.requests.map(\.path) == ["/x", "/x", "/y"])
    }

    @Test(
        "can fail an expectation of the test that sent the request",
        arguments: ways.keys
    )
    func expectations(way: String) async throws {
        stub.on(.get, "/x") { request in
            #expect(request.method == .post)
            return .text("ok")
        }
        let send = try #require(Self.ways[way])
        // An issue that belongs to no test isn't the known one, and fails the run.
        await withKnownIssue {
            let answer = try await send(endpoint)
            try #require(answer == "ok", "the call itself")
        }
    }
}
