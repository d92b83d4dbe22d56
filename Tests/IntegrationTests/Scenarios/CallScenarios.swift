import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Calls", .timeLimit(.minutes(15)))
struct CallScenarios {
    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    /// A typed request on its way from its description to its value.
    @Test("sends parameters as JSON and decodes the response", arguments: CallStyle.allCases)
    func login(style: CallStyle) async throws {
        server.route("POST", "/login/facebook") { _ in .json(text: #"{"id":7}"#) }
        let outcome = await style.outcome(of: LoginRequest(token: "t"), on: endpoint)
        #expect(try outcome.get() == User(id: 7))
        let sent = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(sent.method == "POST")
        #expect(sent.target == "/login/facebook")
        #expect(String(decoding: sent.body, as: UTF8.self) == #"{"token":"t"}"#)
        #expect(sent.headers(named: "Content-Type") == ["application/json"])
        #expect(sent.headers(named: "Accept") == ["application/json"])
    }

    /// The other outcome is the typed error, through both faces.
    @Test("fails with the server's error", arguments: CallStyle.allCases)
    func refusedLogin(style: CallStyle) async throws {
        server.route("POST", "/login/facebook") { _ in
            .json(text: #"{"message":"unknown token"}"#, status: 401)
        }
        let outcome = await style.outcome(of: LoginRequest(token: "t"), on: endpoint)
        #expect(outcome.error?.serverError == APIError(message: "unknown token"))
        #expect(outcome.error?.message == "unknown token")
        #expect(server.requests.count == 1)
    }

    /// Exactly one callback, also when it is cancelled after the end.
    @Test("completes exactly once", arguments: [(200, "success"), (400, "failure")])
    func exactlyOneOutcome(status: Int, expected: String) async throws {
        server.route(nil, "/item") { _ in .json(text: #"{"id":1}"#, status: status) }
        let journal = Journal()
        let operation = endpoint.execute(ItemRequest(path: "item"))
            .onSuccess { _ in journal.note("success") }
            .onFail { _ in journal.note("failure") }
        _ = await outcome(of: operation)
        operation.cancel()
        operation.onSuccess { _ in journal.end() }.onFail { _ in journal.end() }
        #expect(await journal.entries == [expected])
    }

    /// Nobody has to hold the operation.
    @Test("continues after its operation is released")
    func unheldOperation() async throws {
        server.route(nil, "/item") { _ in .json(text: #"{"id":3}"#) }
        let journal = Journal()
        ItemRequest(path: "item").execute(on: endpoint)
            .onSuccess { item in
                journal.note("\(item.id)")
                journal.end()
            }
            .onFail { error in
                journal.note("\(error)")
                journal.end()
            }
        #expect(await journal.entries == ["3"])
    }

    /// The two faces of one operation can be used together.
    @Test("supports await and callbacks together")
    func bothFaces() async throws {
        server.route(nil, "/item") { _ in .json(text: #"{"id":4}"#) }
        let operation = endpoint.execute(ItemRequest(path: "item"))
        async let awaited = operation.value
        async let response = operation.response
        let told = await outcome(of: operation)
        #expect(try await awaited == Item(id: 4))
        #expect(try await response.http.statusCode == 200)
        #expect(try await response.attempts == 1)
        #expect(told.value == Item(id: 4))
        #expect(server.requests.count == 1)
    }

    /// Request values are `Sendable`, and calls are made from any task.
    @Test("runs concurrently from any number of tasks")
    func sideBySide() async throws {
        server.route(nil, "/echo/*") { .text($0.path) }
        let request = TextRequest(path: "echo/first")
        async let first = endpoint.value(for: request)
        async let second = endpoint.value(for: TextRequest(path: "echo/second"))
        #expect(try await first == "/echo/first")
        #expect(try await second == "/echo/second")

        let endpoint = endpoint
        let right = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let request = TextRequest(path: "echo/\(number)")
                    return (try? await endpoint.value(for: request)) == "/echo/\(number)"
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(right == 40)
    }
}
