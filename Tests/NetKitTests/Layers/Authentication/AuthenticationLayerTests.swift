import Foundation
import NetKitSupport
import Testing

@testable import NetKit

@Suite("Authentication layer", .timeLimit(.minutes(15)))
struct AuthenticationLayerTests {
    private struct Upload: Request {
        typealias ResponseObjectType = String
        let path = "upload"
        let method = HTTPMethod.post
        let body: RequestBody?

        init() {
            let pieces = AsyncStream { pieces in
                pieces.yield(Data("live".utf8))
                pieces.finish()
            }
            body = .stream(pieces, isLive: true)
        }
    }

    @Test("refreshes the credential for later calls after a live body's 401")
    func liveBody() async throws {
        let url = try #require(URL(string: "http://nowhere.invalid"))
        let transport = ScriptedTransport(
            .response(401),
            .response(200, "done"),
            sendsSequences: true
        )
        let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
        let refreshes = Locked(0)
        endpoint.authentication = BearerAuthentication(token: "old") { _, _ in
            refreshes.withLock { $0 += 1 }
            return "new"
        }
        let events = Locked(0)
        endpoint.observation.registerEvents { event in
            if case .refreshed = event.kind { events.withLock { $0 += 1 } }
        }
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await endpoint.value(for: Upload())
        }
        #expect(error?.response?.status == .unauthorized)
        #expect(refreshes.withLock { $0 } == 1)

        let value = try await endpoint.value(for: Upload())
        #expect(value == "done")
        let credentials = transport.sent.map { $0.headers[.authorization] }
        #expect(credentials == ["Bearer old", "Bearer new"])
        #expect(refreshes.withLock { $0 } == 1)
        // Nothing was sent again.
        #expect(events.withLock { $0 } == 0)
    }

    @Test("adds nothing by default, and accepts every response by default")
    func defaults() async throws {
        struct Nothing: Authentication {}
        let url = try #require(URL(string: "http://nowhere.invalid"))
        let transport = ScriptedTransport(.response(401), .response(200, "done"))
        let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
        endpoint.authentication = Nothing()
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await endpoint.value(for: DefaultRequest<String, ServerMessage>(path: "x"))
        }
        #expect(error?.response?.status == .unauthorized)
        #expect(transport.sent.map { $0.headers[.authorization] } == [nil])
    }

    private struct Page: Request {
        typealias ResponseObjectType = String
        let path = "page"
    }

    @Test("asks for no recovery of a rejection behind a recovery")
    func secondRejection() async throws {
        let url = try #require(URL(string: "http://nowhere.invalid"))
        let transport = ScriptedTransport(.response(401), .response(401))
        let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
        let refreshes = Locked(0)
        endpoint.authentication = BearerAuthentication(token: "old") { _, _ in
            refreshes.withLock { $0 += 1 }
            return "new"
        }
        let error = await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await endpoint.value(for: Page())
        }
        #expect(error?.response?.status == .unauthorized)
        #expect(refreshes.withLock { $0 } == 1)
    }
}
