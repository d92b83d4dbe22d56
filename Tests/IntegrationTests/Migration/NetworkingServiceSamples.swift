import Foundation
import NetKit
import NetKitCookies
import NetKitMigration
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The usage sample of NetworkingService's README, with a server's address as the base URL.
@available(*, deprecated)
private struct Usage {
    struct ResponseObject: Decodable, Equatable {
        let id: String
        let createdAt: String
    }

    let url: URL

    var networkConfig: ApiNetworkConfig {
        .init(baseUrl: url)
    }

    var endpoint: ApiEndpoint<[ResponseObject]> {
        .init(path: "all", method: .get, responseDecoder: JsonResponseDecoder())
    }

    var networkService: DefaultNetworkService {
        .init(
            networkConfig: networkConfig,
            sessionManagerType: .defaultType,
            loggerType: .defaultType
        )
    }

    var networkDataTransferService: DefaultNetworkDataTransferService {
        .init(
            networkService: networkService,
            logger: DefaultNetworkDataTransferErrorLogger()
        )
    }
}

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
    @Test("runs the usage sample, with a closure and with a task")
    func usage() async throws {
        server.route("GET", "/users/all") { _ in .json(text: #"[{"id":"1","createdAt":"now"}]"#) }
        let usage = Usage(url: server.url("/users"))
        let expected = [Usage.ResponseObject(id: "1", createdAt: "now")]
        let journal = Journal()
        let cancellableRequest = usage.networkDataTransferService.request(with: usage.endpoint) {
            result in
            switch result {
            case .success(let data):
                let items: [Usage.ResponseObject] = data
                journal.note("\(items == expected)")
            case .failure(let error):
                journal.note("\(error)")
            }
            journal.end()
        }
        #expect(await journal.entries == ["true"])
        // It has ended.
        cancellableRequest.cancel()

        let task = await usage.networkDataTransferService.request(with: usage.endpoint)
        let items: [Usage.ResponseObject] = try await task.value
        #expect(items == expected)
        #expect(server.requests.map(\.target) == ["/users/all", "/users/all"])
        #expect(server.requests.allSatisfy { $0.method == .get && $0.body.isEmpty })
    }

    @available(*, deprecated)
    @Test("creates a configuration with header fields, query parameters, both or none")
    func configurations() async throws {
        let fields = ["X-App": "1"]
        let parameters = ["lang": "en", "a": "b"]
        let image = ApiEndpoint<Data>(path: "image.png", method: .get)
        let configurations = [
            ApiNetworkConfig(baseUrl: server.baseURL),
            ApiNetworkConfig(baseUrl: server.baseURL, headers: fields),
            ApiNetworkConfig(baseUrl: server.baseURL, headers: ["X-App": "1"]),
            ApiNetworkConfig(baseUrl: server.baseURL, queryParameters: parameters),
            ApiNetworkConfig(
                baseUrl: server.baseURL,
                headers: fields,
                queryParameters: ["lang": "en"]
            ),
        ]
        for configuration in configurations {
            #expect(configuration.retryPolicy == .standard)
            #expect(try await configuration.request(with: image).value == Data([1, 2]))
        }
        let sent = server.requests
        #expect(sent.map { $0.header("X-App") } == [nil, "1", "1", nil, "1"])
        #expect(
            sent.map(\.target) == [
                "/image.png", "/image.png", "/image.png", "/image.png?a=b&lang=en",
                "/image.png?lang=en",
            ]
        )
        let built = try configurations[3].urlRequest(for: image)
        #expect(built.url?.query == "a=b&lang=en")
    }

    @available(*, deprecated)
    @Test("logs failed calls where an error logger is passed")
    func errorLogger() async throws {
        let config = ApiNetworkConfig(baseUrl: server.baseURL)
        let service = DefaultNetworkService(networkConfig: config)
        let quiet: any NetworkDataTransferService =
            DefaultNetworkDataTransferService(networkService: service)
        #expect(quiet.endpoint === config && config.logger is SilentLogger)
        let logger = DefaultNetworkDataTransferErrorLogger()
        let loud = DefaultNetworkDataTransferService(networkService: service, logger: logger)
        #expect(loud.endpoint.logger is ConsoleLogger && config.logger is SilentLogger)
        config.cookies = CookieJar()
        let signedIn = DefaultNetworkDataTransferService(networkService: service, logger: logger)
        #expect(signedIn.endpoint.cookies === config.cookies)
        let lines = LineLogger(level: .error)
        config.logger = lines
        let missing = ApiEndpoint<Data>(path: "nowhere", method: .get)
        await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await DefaultNetworkDataTransferService(networkService: service, logger: logger)
                .request(with: missing).value
        }
        #expect(lines.lines.count == 1)
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
