import Foundation
@testable import NetKit
import NetKitAsyncHTTPClient
import NetKitTesting
import Testing

@Suite struct FirstTests {
    @Test func get() async throws {
        let server = try MockServer()
        server.route(nil, "/x") { .text("ok \($0.method)") }
        let endpoint = Endpoint(baseURL: server.baseURL, transport: AsyncHTTPClientTransport())
        for m in [HTTPMethod.get, .post, .head, .put, .custom("PURGE"), .custom("get")] {
            let r = DefaultRequest<String, ServerMessage>(path: "x", method: m)
            print(m, try await endpoint.value(for: r), server.requests.last!)
        }
        let u = URL(string: "http://[::1]:9/x")!
        let e = Endpoint(baseURL: u, transport: AsyncHTTPClientTransport())
        let r = DefaultRequest<String, ServerMessage>(path: "x", method: .get)
        print(u.host as Any)
        do { print(try await e.value(for: r)) } catch { print(error, error.transportDetail) }
    }
}
extension ErrorResponse {
    var transportDetail: String {
        if case .transport(let t) = self {
            "\(String(describing: t.underlying)) \(String(reflecting: t.underlying))"
        } else {
            ""
        }
    }
}
