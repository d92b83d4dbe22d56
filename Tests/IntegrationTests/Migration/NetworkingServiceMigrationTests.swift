import Foundation
import NetKit
import NetKitMigration
import NetKitTesting
import Testing

/// What NetworkingService's documentation shows, as NetKit has it.
@Suite("Migration from NetworkingService", .timeLimit(.minutes(15)))
struct NetworkingServiceMigrationTests {
    private struct User: Codable, Hashable, Sendable {
        let userName: String
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route("GET", "/users/1") { _ in .json(text: #"{"userName":"Ada"}"#) }
        server.route("POST", "/users") { _ in .json(text: #"{"userName":"Ada"}"#, status: 201) }
        server.route("GET", "/image") { _ in .data(Data([1, 2]), contentType: "image/png") }
        server.route(nil, "/slow") { _ in .fault(.stall) }
        // The configuration: an address, header fields and query parameters for every call.
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0, headers: ["X-App": "1"])
        endpoint.queryParams = [("lang", "en")]
    }

    @Test("sends an endpoint's path, method, header fields, query and body")
    func request() async throws {
        let get = DefaultRequest<User, String?>(
            path: "users/1",
            queryParams: .init(["fields": "name", "lang": "de"]),
            headers: ["X-Call": "2"],
            timeout: 3_600
        )
        #expect(try await endpoint.value(for: get) == User(userName: "Ada"))
        let create = DefaultRequest<User, String?>(
            path: "users",
            method: .post,
            body: .params(["name": "Ada"])
        )
        let task = Task { try await endpoint.value(for: create) }
        #expect(try await task.value == User(userName: "Ada"))
        let sent = server.requests
        #expect(sent.map(\.target) == ["/users/1?fields=name&lang=de", "/users?lang=en"])
        #expect(sent[0].header("X-App") == "1")
        #expect(sent[0].header("X-Call") == "2")
        #expect(sent[1].text == #"{"name":"Ada"}"#)
        #expect(sent[1].header("Content-Type") == "application/json")
    }

    @Test("calls closures once, on the given queue, and can be cancelled")
    func closures() async throws {
        let queue = DispatchQueue(label: "results")
        let get = DefaultRequest<User, String?>(path: "users/1")
        let results = AsyncStream<String>.makeStream()
        endpoint.execute(get).response(on: queue)
            .onSuccess { user in
                dispatchPrecondition(condition: .onQueue(queue))
                results.continuation.yield(user.userName)
            }
            .onFail { results.continuation.yield($0.message) }
            .onSuccess { _ in results.continuation.finish() }
        var told: [String] = []
        for await result in results.stream { told.append(result) }
        #expect(told == ["Ada"])
        let cancellable = endpoint.execute(DefaultRequest<Data, String?>(path: "slow"))
        cancellable.cancel()
        guard case .cancelled? = await outcome(of: cancellable).error else {
            Issue.record("not cancelled")
            return
        }
    }

    @Test("returns raw data as a value")
    func raw() async throws {
        let image = DefaultRequest<Data, String?>(path: "image")
        #expect(try await endpoint.value(for: image) == Data([1, 2]))
    }

    @Test("closes the connection when the task is cancelled")
    func cancel() async throws {
        let slow = DefaultRequest<Data, String?>(path: "slow")
        let task = Task { await CallStyle.async.outcome(of: slow, on: endpoint).error?.kind }
        _ = try await server.waitForRequests(1)
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("reports a 404 through closures and async alike")
    func notFound() async {
        let missing = DefaultRequest<Data, String?>(path: "nowhere")
        for style in CallStyle.allCases {
            #expect(await style.outcome(of: missing, on: endpoint).error?.statusCode == 404)
        }
    }

    @available(*, deprecated)
    @Test("compiles the old names")
    func spellings() async throws {
        let method: HTTPMethodType = .get
        let get = DefaultRequest<User, String?>(path: "users/1", method: method)
        #expect(try await endpoint.request(with: get).value == User(userName: "Ada"))
        let results = await endpoint.request(with: [get, get])
        #expect(results.compactMap(\.value) == [User(userName: "Ada"), User(userName: "Ada")])
        let missing = DefaultRequest<Data, String?>(path: "nowhere")
        #expect(
            await CallStyle.async.outcome(of: missing, on: endpoint).error?.isNotFoundError == true
        )
    }
}
