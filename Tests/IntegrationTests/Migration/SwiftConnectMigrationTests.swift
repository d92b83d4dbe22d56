import Foundation
import NetKit
import NetKitMigration
import NetKitTesting
import Testing

/// What SwiftConnect's documentation shows, as NetKit has it.
@Suite("Migration from SwiftConnect", .timeLimit(.minutes(15)))
struct SwiftConnectMigrationTests {
    private struct SearchTodos: Request {
        typealias ResponseObjectType = HTTPResponse
        struct Filter: Codable, Sendable {
            let title: String
            let userIds: [Int]
        }
        let path = "/todos"
        @Object(encoder: .snakeCase, encoding: .query()) private(set) var filter: Filter
        let responseDecoding = ResponseDecoding<HTTPResponse> { response, _ in response }
        init(filter: Filter) { self.filter = filter }
    }

    private struct UploadPhoto: MultipartFormDataRequest {
        typealias ResponseObjectType = Item
        let path = "/photos"
        let method = HTTPMethod.post
        let authToken: AuthToken? = .custom(key: "X-Key", token: "k")
        let files: [any MultipartFile]
        @Object(encoding: .form()) var caption = ["text": "T"]
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/todos") { _ in
            .json(text: #"{"page":{"items":[{"id":1},{"id":2}],"next":null},"count":2}"#)
        }
        server.route(nil, "/photos") { _ in .json(text: #"{"id":5}"#) }
        server.route(nil, "/slow") { _ in .fault(.stall) }
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    @Test("sends an object as the query, and decodes the response at the call site")
    func query() async throws {
        let request = SearchTodos(filter: .init(title: "a b", userIds: [1, 2]))
        let response = try await endpoint.value(for: request)
        #expect(
            server.requests.map(\.target)
                == ["/todos?title=a%20b&user_ids%5B%5D=1&user_ids%5B%5D=2"]
        )
        #expect(response.statusCode == 200)
        #expect(try response.decoded(to: [Item].self, keyPath: "page.items").map(\.id) == [1, 2])
        #expect(try response.decoded(to: Item?.self, keyPath: "page.next") == nil)
        #expect(try response.decoded(to: Int.self, keyPath: "count") == 2)
        #expect(response.text.hasPrefix("{"))
    }

    @Test("uploads files with parameters and a custom token field")
    func upload() async throws {
        let file = DefaultMultipartFile(
            resource: Data([1, 2]),
            mime: "image/jpeg",
            name: "photo",
            fileName: "p.jpg"
        )
        #expect(try await endpoint.value(for: UploadPhoto(files: [file])) == Item(id: 5))
        let sent = try #require(server.requests.first)
        #expect(sent.header("X-Key") == "k")
        #expect(sent.multipart.map(\.name) == ["text", "photo"])
    }

    /// A search as you type keeps the call, and cancels it with the next letter.
    @Test("cancels one call or all calls")
    func cancel() async {
        struct Slow: Request {
            typealias ResponseObjectType = Empty
            let path = "slow"
        }
        let typed = endpoint.execute(Slow())
        typed.cancel()
        let others = (0..<3).map { _ in endpoint.execute(Slow()) }
        _ = try? await server.waitForRequests(3)
        endpoint.cancelAllRequests()
        for operation in [typed] + others {
            guard case .cancelled? = await outcome(of: operation).error else {
                Issue.record("not cancelled")
                return
            }
        }
    }

    @Test("supports custom response transformers as extensions")
    func transformer() async throws {
        server.route(nil, "/url") { _ in .text("https://example.com/a") }
        let request = DefaultRequest<Void, String?>(path: "url")
        let response = try await endpoint.value(for: AnyRequest(request))
        #expect(response.asURL()?.host == "example.com")
        #expect(MimeType.myAwesomeType.rawValue == "awesome/type")
    }

    @Test("leaves a request without a response type as it is")
    func withoutResponseType() async throws {
        struct Touch: Request {
            let path = "todos"
        }
        try await endpoint.value(for: Touch())
        #expect(server.requests.map(\.target) == ["/todos"])
    }

    // MARK: Old spellings

    @available(*, deprecated)
    private struct Mine: AuthorizedRequest {
        typealias ResponseObjectType = HTTPResponse
        let path = "todos"
        let authorizationToken: AuthorizationToken? = .bearer("t")
        let responseDecoding = ResponseDecoding<HTTPResponse> { response, _ in response }
    }

    @available(*, deprecated)
    @Test("compiles the old names")
    func spellings() async throws {
        let request: any Requestable = Mine()
        let response = try await endpoint.value(for: AnyRequest(request))
        #expect(server.requests.last?.header("Authorization") == "Bearer t")
        #expect(try response.get(key: "page.items", ofType: [Item].self).count == 2)
        #expect(try response.decoded(toType: Int.self, keyPath: "count") == 2)
        #expect(response.asString() == response.text)
        #expect(response.data == response.body)
        let encoder: JSONEncoder = .snakeCaseEncoder
        let decoder: JSONDecoder = .snakeCaseDecoder
        let bytes = try encoder.encode(["a": 1])
        #expect(try decoder.decode([String: Int].self, from: bytes) == ["a": 1])
    }
}

extension HTTPResponse {
    fileprivate func asURL() -> URL? { URL(string: text) }
}

extension MimeType {
    fileprivate static let myAwesomeType = MimeType(rawValue: "awesome/type")
}
