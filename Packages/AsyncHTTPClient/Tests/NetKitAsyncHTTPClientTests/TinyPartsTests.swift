import Foundation
import NetKit
import NetKitAsyncHTTPClient
import NetKitCurl
import NetKitTesting
import Testing

/// Bodies in parts of one byte, by which a server can keep a client busy.
@Suite("Bodies in tiny parts", .timeLimit(.minutes(15)))
struct TinyPartsTests {
    private static let count = 60_000

    private static func http2() async throws -> HTTP2Server {
        try await HTTP2Server { _, frame in
            guard frame.isHeaders else { return [] }
            let stream = frame.stream
            var bytes = HTTP2Bytes.headers(status: "200", stream: stream, ends: false)
            for number in 1...count {
                bytes += HTTP2Bytes.data("x", stream: stream, ends: number == count)
            }
            return [bytes]
        }
    }

    /// The number of reports of a body of so many single bytes.
    private func reports(_ url: String, over transport: any Transport) async -> Int {
        let (recorder, exchange) = send(url, over: transport)
        #expect(await recorder.finished() == .whole)
        #expect(recorder.body == Data(repeating: UInt8(ascii: "x"), count: Self.count))
        withExtendedLifetime(exchange) {}
        return recorder.bodyParts.count
    }

    @Test("are joined as they arrive, from frames of HTTP/2")
    func frames() async throws {
        let server = try await Self.http2()
        let reports = await reports(server.url, over: try await HTTP2Server.transport())
        #expect(reports <= Self.count / 100)
    }

    @Test("are joined as they arrive, from chunks of HTTP/1.1")
    func chunks() async throws {
        let server = try MockServer()
        let chunks = Array(repeating: Data("x".utf8), count: Self.count)
        server.route(nil, "/x") { _ in .chunked(chunks) }
        let reports = await reports("\(server.baseURL)/x", over: AsyncHTTPClientTransport())
        #expect(reports <= Self.count / 100)
    }

    @Test("aren't held back for later ones", arguments: [1, 2, 3])
    func slow(count: Int) async throws {
        let server = try MockServer()
        server.route(nil, "/x") { _ in
            .chunked(Array("abcd").map { Data("\($0)".utf8) }).stalling(afterBodyBytes: count)
        }
        let (recorder, exchange) = send("\(server.baseURL)/x", over: AsyncHTTPClientTransport())
        await eventually { recorder.received == count }
        exchange.cancel()
        #expect(await recorder.finished() == .cancelled)
        #expect(recorder.body == Data("abcd".utf8.prefix(count)))
    }

    @Test("are read over libcurl too")
    func libcurl() async throws {
        let server = try await Self.http2()
        let authority = try await Nginx.shared.value.file("authority.pem")
        let reports = await reports(server.url, over: try CurlTransport.trusting(authority))
        #expect(reports <= Self.count / 100)
    }
}
