import Foundation
import NetKit
import NetKitMigration
import NetKitTesting
import Testing

/// The samples of SwiftNetworking's README, adapted only where the article says so.
@Suite("SwiftNetworking samples", .timeLimit(.minutes(15)))
struct SwiftNetworkingSamples {
    private struct Game: Codable, Hashable, Sendable { let gameName: String }

    private let server: MockServer

    init() throws {
        server = try MockServer()
        server.route("GET", "/playstation/games") { _ in
            .json(text: #"[{"game_name":"chess"}]"#)
        }
        server.route("POST", "/playstation/games") { _ in .status(204) }
        server.route("GET", "/cover.png") { _ in .data(Data([1]), contentType: "image/png") }
    }

    @available(*, deprecated)
    @Test("executes targets for values, data and empty responses")
    func targets() async throws {
        let address = server.baseURL.absoluteString.replacing("http://", with: "")
        let host = RegularHost(protocolName: "http", address)
        let games = try await host.execute(
            DecodableTarget<[Game]>("playstation/games", query: ["p1": 42, "p2": nil])
        )
        #expect(games == [Game(gameName: "chess")])
        #expect(try await host.execute(DataTarget("cover.png")) == Data([1]))
        let body = Data(#"{"a":1}"#.utf8)
        try await host.execute(PlainTarget("playstation/games", method: .POST, body: body))
        let sent = server.requests
        #expect(sent.first?.target == "/playstation/games?p1=42")
        #expect(sent.last?.header("Content-Type") == "application/json")
        #expect(sent.last?.body == body)
        // What the article says of retries.
        #expect(host.endpoint.retryPolicy == .standard)
        host.endpoint.retryPolicy = .never
        server.enqueue(.status(503))
        let refused = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await host.execute(DataTarget("cover.png"))
        }
        #expect(refused?.statusCode == 503)
    }

    @available(*, deprecated)
    @Test("rejects every call when the host is not a URL")
    func invalidHost() async {
        let host = RegularHost(protocolName: "no scheme", "a b")
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await host.execute(DataTarget("cover.png"))
            Issue.record("sent")
        } catch {
            guard case .invalidRequest = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
