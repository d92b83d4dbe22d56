import Foundation
import NetKit
import NetKitAsyncHTTPClient
import NetKitCurl
import NetKitTesting
import Testing

/// The same cause has the same kind over every transport.
@Suite("Errors of the transports", .timeLimit(.minutes(15)))
struct ErrorTests {
    enum Engine: CaseIterable {
        case urlSession, curl, asyncHTTPClient

        func transport() -> any Transport {
            switch self {
            case .urlSession: URLSessionTransport()
            case .curl: CurlTransport()
            case .asyncHTTPClient: AsyncHTTPClientTransport()
            }
        }
    }

    /// The ending of a GET at an address.
    private func ending(at url: String, over engine: Engine) async -> Ending? {
        let (recorder, exchange) = send(url, over: engine.transport())
        defer { withExtendedLifetime(exchange) {} }
        return await recorder.finished()
    }

    @Test(
        "distinguishes a refused connection, an unknown host and an unsupported URL",
        arguments: Engine.allCases,
        [
            ("http://127.0.0.1:1/", TransportError.Kind.cannotConnect),
            ("http://[::1]:1/", .cannotConnect),
            ("http://localhost:1/", .cannotConnect),
            ("http://\(String(repeating: "a", count: 64)).invalid/", .cannotFindHost),
            ("ftp://127.0.0.1/", .unsupported),
            ("http:///x", .unsupported),
            ("http://127.0.0.1:0/", .unsupported),
            ("http://127.0.0.1:65536/", .unsupported),
            ("http://127.0.0.1:99999/", .unsupported),
            ("http://localhost:99999/", .unsupported),
            ("https://[::1]:99999/", .unsupported),
            ("http://127.0.0.1:18446744073709551697/", .unsupported),
            ("http://\(String(repeating: "a.", count: 150))test/", .cannotFindHost),
        ]
    )
    func addresses(engine: Engine, case expected: (url: String, kind: TransportError.Kind)) async {
        // URLSession takes no IPv6 literals, see LinuxLimits.
        if engine == .urlSession, expected.url.contains("[") { return }
        #expect(await ending(at: expected.url, over: engine) == .failed(expected.kind))
    }

    @Test(
        "reports how a response was lost or malformed",
        arguments: Engine.allCases,
        [
            (
                MockResponse.text("0123456789").cutting(afterBodyBytes: 4),
                TransportError.Kind.truncatedResponse
            ),
            (.text("0123456789").cutting(afterBodyBytes: 4, reset: true), .truncatedResponse),
            (
                .chunked([Data("0123".utf8), Data("4567".utf8)]).cutting(afterBodyBytes: 4),
                .truncatedResponse
            ),
            (.fault(.closeBeforeHead), .connectionLost),
            (.fault(.resetBeforeHead), .connectionLost),
            (.raw(Data("no http at all\r\n\r\n".utf8)), .malformedResponse),
            (.raw(Data("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n".utf8)), .malformedResponse),
            (.raw(Data("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n".utf8)), .malformedResponse),
            (
                .raw(
                    Data("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab".utf8)
                ),
                .malformedResponse
            ),
            (
                .raw(Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".utf8)),
                .malformedResponse
            ),
            (
                MockResponse.data(Data("this is no gzip".utf8)).header("Content-Encoding", "gzip"),
                .malformedResponse
            ),
        ]
    )
    func responses(
        engine: Engine,
        case expected: (response: MockResponse, kind: TransportError.Kind)
    ) async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in expected.response }
        let (recorder, exchange) = send("\(server.baseURL)/x", over: engine.transport())
        #expect(
            await recorder.finished() == .failed(expected.kind),
            "\(String(describing: recorder.ending)) \(String(describing: recorder.error))"
        )
        withExtendedLifetime(exchange) {}
        #expect(server.requests.count == 1)
    }

    @Test(
        "notices a compressed body that ends too early, but over libcurl",
        arguments: Engine.allCases
    )
    func shortCompression(engine: Engine) async throws {
        let server = try MockServer()
        // A block of 100 bytes, of which 3 are there.
        let bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 100, 0, 155, 255, 1, 2, 3]
        server.route(nil, "/x") { _ in .data(Data(bytes)).header("Content-Encoding", "gzip") }
        let (recorder, exchange) = send("\(server.baseURL)/x", over: engine.transport())
        let expected: Ending = engine == .asyncHTTPClient ? .failed(.truncatedResponse) : .whole
        #expect(await recorder.finished() == expected)
        withExtendedLifetime(exchange) {}
    }

    @Test("reports a server that doesn't speak TLS", arguments: Engine.allCases)
    func noTLS(engine: Engine) async throws {
        let server = try await RawServer(.init(answer: ["HTTP/1.1 400 Bad Request\r\n\r\n"]))
        let ending = await ending(at: "https://127.0.0.1:\(server.port)/", over: engine)
        #expect(ending == .failed(.secureConnection))
    }
}
