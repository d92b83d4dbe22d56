import Foundation
import NetKit
import NetKitCache
import NetKitSupport
import NetKitTesting
import Testing

/// A server that answers 200 with a failure inside, as those of GraphQL and of some forms of S3 do.
@Suite("A failure in a 200", .timeLimit(.minutes(15)))
struct StatusScenarios {
    private struct Failure: ServerError, Error, Decodable, Equatable {
        let code: String
        let message: String
    }

    /// Reads the code of a failure in the body as a status.
    private struct Query: Request {
        typealias ResponseObjectType = Item
        typealias ErrorType = Failure
        var path = "query"
        var method = HTTPMethod.post
        var asked = Locked(0)

        func status(of response: HTTPResponse) -> HTTPStatus {
            asked.withLock { $0 += 1 }
            guard response.status == .ok,
                let failure = try? JSONDecoder().decode(Failure.self, from: response.body)
            else { return response.status }
            return switch failure.code {
            case "UNAUTHENTICATED": .unauthorized
            case "BUSY": .serviceUnavailable
            default: .unprocessableContent
            }
        }
    }

    private struct Wrapped: ForwardingRequest {
        typealias ResponseObjectType = Item
        typealias ErrorType = Failure
        let query = Query()
        var wrappedRequest: any Request { query }
    }

    /// Its decoding finds the failure.
    private struct Decoded: Request {
        typealias ResponseObjectType = Item
        typealias ErrorType = Failure
        let path = "query"
        var responseDecoding: ResponseDecoding<Item> {
            ResponseDecoding { response, decoder in
                if let failure = try? decoder.decode(Failure.self, from: response.body) {
                    throw failure
                }
                return try decoder.decode(Item.self, from: response.body)
            }
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
        server.route(nil, "/query") { _ in .json(text: #"{"id":1}"#) }
    }

    private static func failure(_ code: String) -> MockResponse {
        .json(text: #"{"code":"\#(code)","message":"No \#(code)"}"#)
    }

    @Test("is typed, with the status that the request reads it as, and both statuses in the log")
    func typed() async throws {
        let logger = LineLogger(level: .info)
        endpoint.logger = logger
        server.enqueue(Self.failure("INVALID"), Self.failure("INVALID"))
        let requests: [any Request<Item, Failure>] = [Query(), Wrapped()]
        for request in requests {
            let error = await #expect(throws: ErrorResponse<Failure>.self) {
                try await endpoint.value(for: request)
            }
            #expect(error?.serverError?.code == "INVALID")
            #expect(error?.status == .unprocessableContent)
            #expect(error?.message == "No INVALID")
            #expect(
                "\(try #require(error))"
                    == "POST \(server.url("/query")): 422 Unprocessable Content (sent as 200 OK)"
            )
        }
        let line = try #require(logger.lines.first)
        #expect(line.contains("422 Unprocessable Content (sent as 200 OK)"))
    }

    @Test("with 401 starts one refresh for any number of calls")
    func refresh() async throws {
        let refreshes = Locked(0)
        endpoint.authentication = BearerAuthentication(token: "old") { _, _ in
            refreshes.withLock { $0 += 1 }
            return "new"
        }
        server.route(nil, "/query") { request in
            request.header("Authorization") == "Bearer new"
                ? .json(text: #"{"id":1}"#) : Self.failure("UNAUTHENTICATED")
        }
        let values = await endpoint.values(for: (0..<20).map { _ in Query() })
        #expect(try values.map { try $0.get().id } == Array(repeating: 1, count: 20))
        #expect(refreshes.withLock { $0 } == 1)
    }

    @Test("with 503 is retried like a response of that status")
    func retry() async throws {
        let query = Query(method: .get)
        server.enqueue(Self.failure("BUSY").header("Retry-After", "0"))
        let response = try await endpoint.response(for: query)
        #expect(response.value.id == 1)
        #expect(response.attempts == 2)
        #expect(query.asked.withLock { $0 } == 2)
        // A POST isn't sent again.
        server.enqueue(Self.failure("BUSY"))
        let error = await #expect(throws: ErrorResponse<Failure>.self) {
            try await endpoint.value(for: Query())
        }
        #expect(error?.status == .serviceUnavailable)
    }

    @Test("isn't stored, and a stored response isn't asked about again")
    func cache() async throws {
        endpoint.cache = .memory()
        let query = Query(method: .get)
        let isFresh = ("Cache-Control", "max-age=60")
        server.enqueue(Self.failure("INVALID").header(isFresh.0, isFresh.1))
        await #expect(throws: ErrorResponse<Failure>.self) { try await endpoint.value(for: query) }
        server.enqueue(MockResponse.json(text: #"{"id":2}"#).header(isFresh.0, isFresh.1))
        for _ in 0..<3 { #expect(try await endpoint.value(for: query).id == 2) }
        #expect(server.requests.count == 2)
        #expect(query.asked.withLock { $0 } == 2)
    }

    @Test("isn't looked for in a 304, whose stored response was asked about")
    func confirmation() async throws {
        let setting = try CacheSetting()
        setting.route("/query") { number, _ in
            (number == 1 ? MockResponse.json(text: #"{"id":1}"#) : .status(304))
                .header("ETag", "\"a\"").header("Cache-Control", "max-age=60")
        }
        let query = Query(method: .get)
        #expect(try await setting.endpoint.value(for: query).id == 1)
        setting.clock.advance(by: .seconds(61))
        let response = try await setting.endpoint.response(for: query)
        #expect(response.value.id == 1)
        #expect(response.cacheOutcome == .revalidated)
        #expect(query.asked.withLock { $0 } == 1)
    }

    @Test("isn't stored by a validation in the background")
    func backgroundValidation() async throws {
        let setting = try CacheSetting()
        setting.route("/query") { number, _ in
            (number == 1 ? MockResponse.json(text: #"{"id":1}"#) : Self.failure("INVALID"))
                .header("Cache-Control", "max-age=60, stale-while-revalidate=600")
        }
        let query = Query(method: .get)
        #expect(try await setting.endpoint.value(for: query).id == 1)
        setting.clock.advance(by: .seconds(61))
        #expect(try await setting.endpoint.value(for: query).id == 1)
        await eventually { setting.cache.statistics.misses == 2 }
        #expect(setting.cache.statistics.stored == 1)
        #expect(try await setting.endpoint.value(for: query).id == 1)
    }

    @Test("isn't looked for in streams and downloads")
    func unasked() async throws {
        let query = Query(method: .get)
        #expect(try await endpoint.stream(query).lines.reduce("", +) == #"{"id":1}"#)
        let folder = try TemporaryFolder()
        _ = try await endpoint.value(for: query.download(to: folder.file("item")))
        #expect(query.asked.withLock { $0 } == 0)
    }

    @Test("that the decoding throws as the request's error is the server's")
    func thrown() async throws {
        server.enqueue(Self.failure("INVALID"))
        let error = await #expect(throws: ErrorResponse<Failure>.self) {
            try await endpoint.value(for: Decoded())
        }
        #expect(error?.serverError == Failure(code: "INVALID", message: "No INVALID"))
        #expect(error?.message == "No INVALID")
        #expect(error?.status == .ok)
    }
}
