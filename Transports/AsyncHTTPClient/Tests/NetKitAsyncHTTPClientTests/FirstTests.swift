import Foundation
@testable import NetKit
import NetKitAsyncHTTPClient
import NetKitTesting
import Testing

@Suite struct FirstTests {
    @Test func get() async throws {
        let l = Locked(5)
        #expect(l.withLock { $0 } == 5)
        let server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: AsyncHTTPClientTransport())
        let r = DefaultRequest<String, ServerMessage>(path: "x", method: .get)
        #expect(try await endpoint.value(for: r) == "ok")
    }
}
