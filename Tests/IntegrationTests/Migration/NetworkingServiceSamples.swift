import Foundation
import NetKit
import NetKitMigration
import NetKitTesting
import Testing

/// The samples of NetworkingService's README, adapted only where the article says so.
@Suite("NetworkingService samples", .timeLimit(.minutes(15)))
struct NetworkingServiceSamples {
    private struct Person: Codable, Hashable, Sendable { let login: String }

    private let server: MockServer

    init() throws {
        server = try MockServer()
        server.route("GET", "/search/users") { _ in .json(text: #"[{"login":"ada"}]"#) }
        server.route("POST", "/users") { _ in .json(text: #"{"login":"eve"}"#, status: 201) }
        server.route("GET", "/image.png") { _ in .data(Data([1, 2]), contentType: "image/png") }
    }

    @available(*, deprecated)
    @Test("creates a task with a value from a configuration and an endpoint")
    func task() async throws {
        let networkConfig = ApiNetworkConfig(
            baseUrl: server.baseURL,
            headers: ["X-App": "1"],
            queryParameters: ["lang": "en"]
        )
        let service = networkConfig
        let endpoint = ApiEndpoint<[Person]>(
            path: .path("search/users"),
            method: .get,
            headerParameters: ["X-Call": "2"],
            queryParameters: ["q": "ada", "page": 1, "order": nil],
            responseDecoder: JsonResponseDecoder()
        )
        let task = await service.request(with: endpoint)
        #expect(try await task.value == [Person(login: "ada")])
        let sent = try #require(server.requests.first)
        #expect(
            sent.target == "/search/users?page=1&q=ada&lang=en"
                || sent.target == "/search/users?lang=en&page=1&q=ada"
        )
        #expect(sent.header("X-App") == "1")
        #expect(sent.header("X-Call") == "2")
    }

    @available(*, deprecated)
    @Test("refuses JSON that would end the process in JSONDecoder")
    func deepJSON() {
        let body = Data(String(repeating: "[", count: 513).utf8)
        #expect(throws: DecodingError.self) {
            try JsonResponseDecoder().decode(data: body) as JSONValue
        }
    }

    @available(*, deprecated)
    @Test("calls the completion once, and can be cancelled")
    func completion() async throws {
        let service = ApiNetworkConfig(baseUrl: server.baseURL)
        let endpoint = ApiEndpoint<Person>(
            path: .fullPath(server.url("/users").absoluteString),
            method: .post,
            bodyParameters: ["name": "eve"]
        )
        let result = await withCheckedContinuation { continuation in
            service.request(with: endpoint) { continuation.resume(returning: $0) }
        }
        #expect(try result.get() == Person(login: "eve"))
        #expect(server.requests.first?.text == #"{"name":"eve"}"#)

        let cancelled = await withCheckedContinuation { continuation in
            let cancellable = service.request(with: endpoint) { continuation.resume(returning: $0) }
            cancellable.cancel()
        }
        switch cancelled {
        case .failure(.cancelled), .success: break
        case .failure(let error): Issue.record("\(error)")
        }
    }

    @available(*, deprecated)
    @Test("returns an image as data, and several requests as several results")
    func raw() async throws {
        let service = ApiNetworkConfig(baseUrl: server.baseURL)
        let image = ApiEndpoint<Data>(
            path: .path("image.png"),
            method: .get,
            responseDecoder: RawDataResponseDecoder()
        )
        #expect(try await service.request(with: image).value == Data([1, 2]))
        let results = await service.request(with: [image, image])
        #expect(results.compactMap(\.value) == [Data([1, 2]), Data([1, 2])])
        let wrong = ApiEndpoint<[Person]>(
            path: .urlPath(server.url("/search/users").absoluteString),
            method: .get,
            responseDecoder: RawDataResponseDecoder()
        )
        await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await service.request(with: wrong).value
        }
    }
}
