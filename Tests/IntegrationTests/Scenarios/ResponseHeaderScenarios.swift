import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("Response headers", .timeLimit(.minutes(15)))
struct ResponseHeaderScenarios {
    /// White space around a value is no part of it (RFC 9112, section 5.1).
    @Test(
        "have no white space around their values",
        arguments: ["a b", "a b ", "a b\t", " \ta b \t "]
    )
    func whiteSpace(value: String) async throws {
        let server = try MockServer()
        defer { server.stop() }
        let head = "HTTP/1.1 200 OK\r\nX-A: \(value)\r\nContent-Length: 2\r\n\r\nok"
        server.route("GET", "/x") { _ in .raw(Data(head.utf8)) }
        let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        let response = try await endpoint.response(for: TextRequest(path: "x"))
        #expect(response.http.headers["X-A"] == "a b")
        #expect(response.http.headers.first { $0.name == "X-A" }?.value == "a b")
    }
}
