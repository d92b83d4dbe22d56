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

    @Test(
        "wait for a paused reader when decompressed, and arrive in pieces that it can refuse",
        arguments: [false, true],
        [false, true]
    )
    func pieces(isCurl: Bool, isHTTP2: Bool) async throws {
        // Two of them fit into the first window of a connection of HTTP/2, compressed.
        let content = 24 << 20
        let body = Bomb.gzip(content)
        let fields = [("content-encoding", "gzip")]
        let plain = try MockServer()
        plain.route(nil, "/") { _ in .data(Data(body)).header("Content-Encoding", "gzip") }
        let modern = try await HTTP2Server { _, frame in
            frame.isHeaders
                ? [HTTP2Bytes.response(body, stream: frame.stream, fields: fields)] : []
        }
        let authority = try await Nginx.shared.value.file("authority.pem")
        let transport: any Transport =
            isCurl ? try CurlTransport.trusting(authority) : try await HTTP2Server.transport()
        let url = isHTTP2 ? modern.url : "\(plain.baseURL)/"
        let headers: HTTPHeaders = ["Accept-Encoding": "gzip"]
        let (recorder, exchange) = sendAndPause(url, headers: headers, over: transport)
        await eventually { !recorder.bodyParts.isEmpty }
        // Another response is read whole in the meantime.
        let (other, second) = send(url, headers: headers, over: transport)
        #expect(await other.finished() == .whole)
        withExtendedLifetime(second) {}
        #expect(recorder.bodyParts.count == 1)
        exchange.resume()
        #expect(await recorder.finished() == .whole)
        for recorder in [recorder, other] {
            #expect(recorder.bodyParts.reduce(0, +) == content)
            #expect(recorder.bodyParts.allSatisfy { $0 <= 64 << 10 })
        }
    }
}
