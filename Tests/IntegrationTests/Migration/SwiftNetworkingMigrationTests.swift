import Foundation
import NetKit
import NetKitMigration
import NetKitTesting
import Testing

/// What SwiftNetworking's documentation shows, as NetKit has it.
@Suite("Migration from SwiftNetworking", .timeLimit(.minutes(15)))
struct SwiftNetworkingMigrationTests {
    private struct Game: Codable, Hashable, Sendable {
        let gameName: String
        let releasedAt: Date
    }

    /// A target whose way to read the response travels with it.
    private struct GameNames: Request {
        typealias ResponseObjectType = [String]
        let path = "games"
        let responseDecoding = ResponseDecoding(accept: "application/json") { response, _ in
            try response.decoded(to: [Game].self, using: .snakeCaseISO8601).map(\.gameName)
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint
    private let chess = Game(gameName: "chess", releasedAt: Date(timeIntervalSince1970: 0))

    init() throws {
        server = try MockServer()
        let body = #"[{"game_name":"chess","released_at":"1970-01-01T00:00:00Z"}]"#
        server.route("GET", "/games") { _ in .json(text: body) }
        server.route("POST", "/games") { _ in .status(204) }
        endpoint = testEndpoint(
            baseURL: server.baseURL,
            decoder: .snakeCaseISO8601,
            retryingCount: 0
        )
    }

    @Test("sends targets for values, data and empty responses")
    func targets() async throws {
        let query: [(String, String)] = .init(["p1": 42, "p2": nil, "p3": ["a", "b"]])
        let games = DefaultRequest<[Game], String?>(path: "games", queryParams: query)
        #expect(try await endpoint.value(for: games) == [chess])
        #expect(server.requests.last?.target == "/games?p1=42&p3%5B%5D=a&p3%5B%5D=b")
        let bytes = DefaultRequest<Data, String?>(path: "games")
        #expect(try await endpoint.value(for: bytes).first == UInt8(ascii: "["))
        let plain = DefaultRequest<Void, String?>(
            path: "games",
            method: .post,
            body: .encodable(chess, encoder: .snakeCaseISO8601)
        )
        try await endpoint.value(for: plain)
        #expect(
            try server.requests.last?.json(decoder: .snakeCaseISO8601) == chess
        )
        let raw = DefaultRequest<Void, String?>(
            path: "games",
            method: .post,
            body: .raw(Data("[]".utf8)),
            headers: [.contentType: "application/json"]
        )
        try await endpoint.value(for: raw)
        #expect(server.requests.last?.header("Content-Type") == "application/json")
    }

    @Test("lets a target map its response")
    func mapper() async throws {
        #expect(try await endpoint.value(for: GameNames()) == ["chess"])
    }

    @available(*, deprecated)
    @Test("compiles the old names")
    func spellings() async throws {
        let games = DecodableTarget<[Game]>(path: "games", method: .GET, decoder: .custom())
        #expect(try await endpoint.value(for: games) == [chess])
        #expect(try await endpoint.value(for: DataTarget(path: "games")).isEmpty == false)
        try await endpoint.value(for: PlainTarget(path: "games", method: .POST))
        let fields: [String: String]? = ["X-App": "1"]
        let listed = DecodableTarget<[Game]>("games", query: nil, body: nil, headers: fields)
        #expect(try await endpoint.value(for: listed) == [chess])
        #expect(server.requests.last?.header("X-App") == "1")
        try await endpoint.value(for: PlainTarget("games", query: nil, headers: nil))
        try await endpoint.value(for: PlainTarget("games", headers: fields))
        #expect(server.requests.last?.header("X-App") == "1")
        #expect([HTTPMethod.PUT, .PATCH, .DELETE] == [.put, .patch, .delete])
    }

    @available(*, deprecated)
    @Test("sends a host's targets over its transport")
    func transport() async throws {
        let stub = StubTransport()
        stub.on(.get, "/games") { _ in .json(text: "[]") }
        let host = RegularHost("api.test", transport: stub)
        #expect(try await host.execute(DecodableTarget<[Game]>("games")).isEmpty)
        #expect(stub.requests(.get, "/games").count == 1)
    }
}
