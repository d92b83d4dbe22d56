import Foundation
import NetKit
import NetKitAsyncHTTPClient
import NetKitCurl
import NetKitTesting
import Testing

/// Responses without an end, from a server of the test kit.
@Suite("Endless responses", .timeLimit(.minutes(15)))
struct FloodTests {
    private static let endless: [(name: String, response: MockResponse)] = [
        ("informational responses", flood("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")),
        ("fields", flood("X-A: b\r\n", after: "HTTP/1.1 200 OK\r\n")),
        ("a field", flood("b", after: "HTTP/1.1 200 OK\r\nX-A: ")),
        ("a reason", flood("b", after: "HTTP/1.1 200 ")),
        ("chunks", flood("1\r\nx\r\n", after: chunked)),
        ("a chunk's extension", flood("x", after: "\(chunked)1;a=")),
        ("a body", flood("x", after: "HTTP/1.1 200 OK\r\n\r\n")),
        ("zeros", .gzipOfZeros(count: 1 << 28)),
        ("nothing valid", flood("x")),
    ]
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func flood(_ bytes: String, after beginning: String = "") -> MockResponse {
        .flood(Data(bytes.utf8), after: Data(beginning.utf8))
    }

    @Test(
        "end by a limit of size or the idle timeout, over either engine, and the next call works",
        arguments: [false, true],
        endless.indices
    )
    func ending(isCurl: Bool, index: Int) async throws {
        let (name, response) = Self.endless[index]
        let server = try MockServer()
        server.route(nil, "/flood") { _ in response }
        server.route(nil, "/ok") { _ in .text("ok") }
        let transport: any Transport = isCurl ? CurlTransport() : AsyncHTTPClientTransport()
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport)
        endpoint.retryPolicy = .never
        endpoint.maximumResponseSize = 1 << 20
        endpoint.timeouts.idle = .seconds(1)
        do throws(ErrorResponse<ServerMessage>) {
            _ = try await endpoint.value(for: TextRequest(path: "flood"))
            Issue.record("\(name): no error")
        } catch {
            switch error {
            case .timeout: break
            case .transport(let cause):
                let kinds: [TransportError.Kind] = [.responseTooLarge, .malformedResponse]
                let code = cause.underlying.map { "\($0)" } ?? ""
                #expect(kinds.contains(cause.kind), "\(name): \(cause), \(code)")
            default: Issue.record("\(name): \(error)")
            }
        }
        endpoint.timeouts.idle = .seconds(3_600)
        #expect(try await endpoint.value(for: TextRequest(path: "ok")) == "ok", "\(name)")
    }

    @Test("arrive in pieces that a reader can refuse, when decompressed", arguments: [false, true])
    func pieces(isCurl: Bool) async throws {
        let server = try MockServer()
        server.route(nil, "/zeros") { _ in .gzipOfZeros(count: 8 << 20) }
        let transport: any Transport = isCurl ? CurlTransport() : AsyncHTTPClientTransport()
        let (recorder, exchange) = send(
            "\(server.baseURL)/zeros",
            headers: ["Accept-Encoding": "gzip"],
            over: transport
        )
        #expect(await recorder.finished() == .whole)
        withExtendedLifetime(exchange) {}
        #expect(recorder.bodyParts.reduce(0, +) == 8 << 20)
        #expect(recorder.bodyParts.allSatisfy { $0 <= 64 << 10 })
    }
}
