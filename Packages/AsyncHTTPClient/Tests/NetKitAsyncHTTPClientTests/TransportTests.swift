import Foundation
import NIOCore
import NetKit
import NetKitAsyncHTTPClient
import NetKitTesting
import Testing

@Suite("Exchanges over AsyncHTTPClient", .timeLimit(.minutes(15)))
struct TransportTests {
    private let server: MockServer

    init() throws {
        server = try MockServer()
        server.route(nil, "/x") { _ in .text("ok") }
    }

    @Test("reports events in order, and the end once")
    func order() async throws {
        let (get, first) = send("\(server.baseURL)/x")
        #expect(await get.finished() == .whole)
        #expect(get.order == "shbf")
        let body = BodySource(Data(count: 300_000))
        let (post, second) = send("\(server.baseURL)/x", .post, body: body)
        #expect(await post.finished() == .whole)
        #expect(post.order == "sthbf")
        #expect(post.sent == post.sent.sorted())
        #expect(post.sent.last == 300_000)
        withExtendedLifetime((first, second)) {}
    }

    @Test("sends Host, Content-Length and Accept-Encoding once")
    func fields() async throws {
        let body = BodySource(Data("abc".utf8))
        for (method, body, length) in [
            (HTTPMethod.get, nil, []), (.post, nil, ["0"]), (.put, body, ["3"]),
            (.delete, body, ["3"]), (.query, body, ["3"]),
        ] {
            let (recorder, exchange) = send("\(server.baseURL)/x?a=b%20c&d", method, body: body)
            #expect(await recorder.finished() == .whole)
            withExtendedLifetime(exchange) {}
            let sent = try #require(server.requests.last)
            #expect(sent.method == method)
            #expect(sent.target == "/x?a=b%20c&d")
            #expect(sent.headers(named: "Host") == ["127.0.0.1:\(server.port)"])
            #expect(sent.headers(named: "Content-Length") == length)
            #expect(sent.headers(named: "Transfer-Encoding").isEmpty)
            #expect(sent.headers(named: "Accept-Encoding") == ["gzip"])
        }
        let own: HTTPHeaders = ["Accept-Encoding": "identity", "Host": "elsewhere.test"]
        let (recorder, exchange) = send("\(server.baseURL)/x", headers: own)
        #expect(await recorder.finished() == .whole)
        withExtendedLifetime(exchange) {}
        let sent = try #require(server.requests.last)
        #expect(sent.headers(named: "Accept-Encoding") == ["identity"])
        #expect(sent.headers(named: "Host") == ["elsewhere.test"])
    }

    @Test("decompresses bodies, and ignores encodings without a body")
    func decompression() async throws {
        let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        server.route(nil, "/gzip") { _ in .gzip(content) }
        server.route("HEAD", "/gzip") { _ in .status(200).header("Content-Encoding", "gzip") }
        server.route(nil, "/304") { _ in .status(304).header("Content-Encoding", "gzip") }
        server.route(nil, "/empty") { _ in .data(Data()).header("Content-Encoding", "gzip") }
        server.route(nil, "/chunks") { _ in .chunked([]).header("Content-Encoding", "gzip") }
        server.route(nil, "/br") { _ in .text("raw").header("Content-Encoding", "br") }
        for (method, path, status, expected) in [
            (HTTPMethod.get, "/gzip", 200, content), (.head, "/gzip", 200, Data()),
            (.get, "/304", 304, Data()), (.get, "/empty", 200, Data()),
            (.get, "/chunks", 200, Data()), (.get, "/br", 200, Data("raw".utf8)),
        ] {
            let (recorder, exchange) = send("\(server.baseURL)\(path)", method)
            #expect(await recorder.finished() == .whole)
            withExtendedLifetime(exchange) {}
            #expect(recorder.head?.status.rawValue == status)
            #expect(recorder.head?.headers[.contentEncoding] != nil)
            #expect(recorder.body == expected)
        }
    }

    @Test("can be cancelled at any moment by any thread, and ends once")
    func cancelling() async throws {
        server.recordsRequests = false
        server.route(nil, "/large") { _ in .data(Data(count: 3 << 20)) }
        let transport = AsyncHTTPClientTransport()
        for round in 0..<400 {
            let body = round % 2 == 0 ? nil : BodySource(Data(count: 200_000))
            let (recorder, exchange) = send(
                "\(server.baseURL)/large",
                .post,
                body: body,
                over: transport
            )
            try? await Task.sleep(for: .microseconds(Int64(round) * 10))
            async let first: Void = exchange.cancel()
            async let second: Void = exchange.cancel()
            _ = await (first, second)
            let ending = await recorder.finished()
            #expect(ending == .cancelled || ending == .whole)
            exchange.cancel()
        }
        await transport.shutdown()
        try await server.waitUntilDisconnected()
    }

    @Test("keeps repeated fields separate, and accepts a field without a space")
    func heads() async throws {
        let head =
            "HTTP/1.1 299 Odd\r\nSet-Cookie: a=1\r\nX-A:v\r\nset-cookie: b=2\r\nX-L: caf\u{E9}\r\n"
        let raw = try await RawServer(.init(answer: [head + "Content-Length: 2\r\n\r\nok"]))
        let (recorder, exchange) = send("http://127.0.0.1:\(raw.port)/")
        #expect(await recorder.finished() == .whole)
        withExtendedLifetime((exchange, raw)) {}
        #expect(recorder.head?.status == 299)
        #expect(recorder.head?.headers.values(for: .setCookie) == ["a=1", "b=2"])
        #expect(recorder.head?.headers["x-a"] == "v")
        #expect(recorder.head?.headers["X-L"] == "caf\u{E9}")
    }

    @Test(
        "skips trailers, announced or not, with the head or later",
        arguments: [true, false],
        [true, false]
    )
    func trailers(areAnnounced: Bool, comeLater: Bool) async throws {
        let announcement = areAnnounced ? "Trailer: X-Sum\r\n" : ""
        let head = "HTTP/1.1 200 OK\r\n\(announcement)Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n"
        let rest = "0\r\nX-Sum: 7\r\nX-More: 8\r\n\r\n"
        let raw = try await RawServer(
            .init(answer: comeLater ? [head, rest] : [head + rest], pause: .milliseconds(30))
        )
        let (recorder, exchange) = send("http://127.0.0.1:\(raw.port)/")
        #expect(await recorder.finished() == .whole)
        withExtendedLifetime((exchange, raw)) {}
        #expect(recorder.body == Data("ok".utf8))
        #expect(recorder.head?.headers["X-Sum"] == nil)
        #expect(recorder.order == "shbf")
    }

    @Test("connects to an IPv6 literal, and names it in Host")
    func ipv6() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let raw = try await RawServer(host: "::1", .init(answer: [answer]))
        let url = try #require(URL(string: "http://[::1]:\(raw.port)/path"))
        let endpoint = Endpoint(baseURL: url, transport: AsyncHTTPClientTransport())
        #expect(try await endpoint.value(for: TextRequest(path: "x", method: .get)) == "ok")
        let request = try #require(raw.requests.first).lowercased()
        #expect(request.hasPrefix("get /path/x http/1.1\r\n"))
        #expect(request.contains("\r\nhost: [::1]:\(raw.port)\r\n"))
    }
}
