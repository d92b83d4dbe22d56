import Foundation
import NetKitCache
import NetKitCookies
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit

/// The cases of the conformance suite of the Swift Networking Workgroup's client (HTTPClientConformance), written for NetKit.
///
/// Not among them: trailers as values, which NetKit has no place for. Bodies that are sent while the response is read are
/// tested over the transports that send them live.
@Suite("Conformance cases of the Networking Workgroup", .timeLimit(.minutes(15)))
struct WorkgroupScenarios {
    private struct Call: Request {
        typealias ResponseObjectType = Data
        var path: String
        var method: HTTPMethod = .get
        var headers: HTTPHeaders = [:]
        var body: RequestBody?
        let responseDecoding: ResponseDecoding<Data>? = .data
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
    }

    private func answer(_ lines: String...) {
        let bytes = Data(lines.joined(separator: "\r\n").utf8)
        server.route(nil, "/raw") { _ in .raw(bytes) }
    }

    /// The response, whatever its status is.
    private func send(_ call: Call) async throws -> HTTPResponse {
        do throws(ErrorResponse<ServerMessage>) {
            return try await endpoint.response(for: call).http
        } catch {
            guard let response = error.response else { throw error }
            return response
        }
    }

    // MARK: Heads

    private static let foreignBytes =
        ["FOOBAR", "FOOBAR\r\n\r\n"]
        + (TransportUnderTest.limits.contains(.statusLines)
            ? [] : ["Http/1.1 200 OK\r\nConnection: close\r\n\r\n"])

    @Test("what isn't HTTP is refused", arguments: foreignBytes)
    func notHTTP(bytes: String) async {
        answer(bytes)
        await #expect { try await send(Call(path: "raw")) } throws: { error in
            guard case ErrorResponse<ServerMessage>.transport = error else { return false }
            return true
        }
    }

    @Test("a status line needs no reason")
    func noReason() async throws {
        answer("HTTP/1.1 200", "Connection: close", "", "")
        guard TransportUnderTest.limits.contains(.statusLines) else {
            #expect(try await send(Call(path: "raw")).status == .ok)
            return
        }
        await #expect { try await send(Call(path: "raw")) } throws: { error in
            guard case ErrorResponse<ServerMessage>.transport(let cause) = error else {
                return false
            }
            return cause.kind == .malformedResponse
        }
    }

    @Test("a status without a body has none, whatever its length says", arguments: [204, 304])
    func bodiless(status: Int) async throws {
        answer("HTTP/1.1 \(status) X", "Content-Length: 1000", "Connection: close", "", "")
        let response = try await send(Call(path: "raw"))
        #expect(response.status.rawValue == status && response.body.isEmpty)
    }

    @Test("a response to HEAD has no body, whatever its length says")
    func head() async throws {
        answer("HTTP/1.1 200 OK", "Content-Length: 1000", "Connection: close", "", "")
        let response = try await send(Call(path: "raw", method: .head))
        #expect(response.status == .ok && response.body.isEmpty)
        #expect(response.headers[.contentLength] == "1000")
    }

    @Test("a body that is shorter than its length, or has two lengths, is refused")
    func lengths() async {
        for length in ["1000", "10, 4"] {
            answer("HTTP/1.1 200 OK", "Content-Length: \(length)", "Connection: close", "", "1234")
            await #expect(throws: ErrorResponse<ServerMessage>.self) {
                try await send(Call(path: "raw"))
            }
        }
    }

    @Test("a body without a length ends with its connection")
    func noLength() async throws {
        answer("HTTP/1.1 200 OK", "Connection: close", "", "1234")
        #expect(try await send(Call(path: "raw")).body == Data("1234".utf8))
    }

    @Test("a status beyond the registered ones is given as it is", arguments: [404, 599, 999])
    func status(code: Int) async throws {
        server.route(nil, "/x") { _ in .status(code) }
        let response = try await send(Call(path: "x"))
        #expect(response.status.rawValue == code && response.body.isEmpty)
    }

    // MARK: Requests

    @Test(
        "every method gets its empty response",
        arguments: [.head, .get, .put, .post, .delete] as [HTTPMethod]
    )
    func methods(method: HTTPMethod) async throws {
        server.route(nil, "/200") { _ in .status(200) }
        let response = try await send(Call(path: "200", method: method))
        #expect(response.status == .ok && response.body.isEmpty)
        #expect(server.requests.map(\.method) == [method])
    }

    @Test("a body arrives as it is, however it is framed", arguments: ["", "Hello World"])
    func echo(text: String) async throws {
        server.route("POST", "/echo") { .data($0.body) }
        let pieces = AsyncStream { continuation in
            if !text.isEmpty { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
        let bodies: [RequestBody] = [.raw(Data(text.utf8)), .string(text), .stream(pieces)]
        for body in bodies {
            let response = try await send(Call(path: "echo", method: .post, body: body))
            #expect(response.body == Data(text.utf8))
        }
        #expect(server.requests.count == 3)
    }

    @Test("a megabyte comes back as it was sent")
    func large() async throws {
        server.route("POST", "/echo") { .data($0.body) }
        let body = Data(repeating: UInt8(ascii: "A"), count: 1_000_000)
        let response = try await send(Call(path: "echo", method: .post, body: .raw(body)))
        #expect(response.body == body)
    }

    @Test("fields are sent with their values, also an empty one and several of a name")
    func fields() async throws {
        server.route(nil, "/x") { _ in .status(200) }
        var call = Call(path: "x", method: .post)
        call.headers["X-Foo"] = "BARbaz"
        call.headers["X-Empty"] = ""
        call.headers.append("one", for: "X-Test")
        call.headers.append("two", for: "X-Test")
        _ = try await send(call)
        let request = try #require(server.requests.first)
        #expect(request.headers(named: "X-Foo") == ["BARbaz"])
        #expect(request.headers(named: "X-Empty") == [""])
        let values = request.headers(named: "X-Test").flatMap { $0.split(separator: ",") }
        #expect(values.map { $0.trimmingCharacters(in: .whitespaces) } == ["one", "two"])
    }

    @Test("a query keeps its order, its repeated names and its empty values")
    func query() async throws {
        server.route(nil, "/x") { _ in .status(200) }
        _ = try await send(Call(path: "x?foo=bar&bar=baz&baz=qux&qux=&foo=phew"))
        let query = try #require(server.requests.first).query
        #expect(query.map(\.name) == ["foo", "bar", "baz", "qux", "foo"])
        #expect(query.map { $0.value } == ["bar", "baz", "qux", "", "phew"])
    }

    @Test("a hundred calls at once all succeed")
    func many() async throws {
        server.route(nil, "/x") { _ in .text("ok") }
        let results = await endpoint.values(
            for: Array(repeating: Call(path: "x"), count: 100),
            maximumConcurrentRequests: 100
        )
        #expect(try results.map { try $0.get() } == Array(repeating: Data("ok".utf8), count: 100))
    }

    // MARK: Responses

    @Test("a coding that was offered is decoded, and one that wasn't used is no matter")
    func codings() async throws {
        server.route(nil, "/gzip") { _ in .gzip(Data("TEST\n".utf8)) }
        server.route(nil, "/identity") { _ in .text("TEST\n") }
        let zlib: [UInt8] = [
            0x78, 0x9C, 0x0B, 0x71, 0x0D, 0x0E, 0xE1, 0x02, 0, 0x04, 0x68, 0x01, 0x4B,
        ]
        let brotli: [UInt8] = [0x0F, 0x02, 0x80, 0x54, 0x45, 0x53, 0x54, 0x0A, 0x03]
        for (name, bytes) in [("deflate", zlib), ("br", brotli)] {
            server.route(nil, "/\(name)") { request in
                let offered = request.header("Accept-Encoding") ?? ""
                guard offered.contains(name) else { return .text("TEST\n") }
                return .data(Data(bytes)).header("Content-Encoding", name)
            }
        }
        for path in ["gzip", "deflate", "br", "identity"] {
            #expect(try await send(Call(path: path)).body == Data("TEST\n".utf8), "\(path)")
        }
    }

    @Test("several values of a field are all given")
    func values() async throws {
        server.route(nil, "/x") { _ in .status(200).header("X-Test", "one").header("X-Test", "two")
        }
        let values = try await send(Call(path: "x")).headers.values(for: "X-Test")
        let parts = values.flatMap { $0.split(separator: ",") }
        #expect(parts.map { $0.trimmingCharacters(in: .whitespaces) } == ["one", "two"])
    }

    @Test("a stream that is left early, and one that is read to its end")
    func reading() async throws {
        let body = Data(repeating: UInt8(ascii: "A"), count: 1_000_000)
        server.route(nil, "/large") { _ in .data(body) }
        let left = try await endpoint.stream(Call(path: "large"))
        for try await chunk in left {
            #expect(chunk.first == UInt8(ascii: "A"))
            break
        }
        var whole = Data()
        for try await chunk in try await endpoint.stream(Call(path: "large")) {
            whole += chunk
        }
        #expect(whole == body)
    }

    // MARK: The client

    @Test("redirects are followed, and end where they go in a circle")
    func redirects() async throws {
        server.route(nil, "/request") { .text($0.method.rawValue) }
        for status in [301, 308] {
            server.route(nil, "/\(status)") { _ in .redirect(to: "/request", status: status) }
            #expect(try await send(Call(path: "\(status)")).body == Data("GET".utf8))
        }
        server.route(nil, "/ping") { _ in .redirect(to: "/pong", status: 301) }
        server.route(nil, "/pong") { _ in .redirect(to: "/ping", status: 301) }
        await #expect(throws: ErrorResponse<ServerMessage>.self) {
            try await send(Call(path: "ping"))
        }
    }

    @Test("a canceled call ends before the head, and in the middle of the body")
    func cancellation() async throws {
        server.route(nil, "/stall") { _ in .fault(.stall) }
        server.route(nil, "/body") { _ in
            .data(Data(repeating: 1, count: 100_000)).stalling(afterBodyBytes: 1_000)
        }
        let unanswered = Task { try await send(Call(path: "stall")) }
        try await server.waitForRequests(1)
        unanswered.cancel()
        await #expect { try await unanswered.value } throws: { error in
            (error as? ErrorResponse<ServerMessage>)?.isCancellation == true
        }
        let stream = try await endpoint.stream(Call(path: "body"))
        let (started, mark) = AsyncStream.makeStream(of: Void.self)
        let unread = Task {
            for try await _ in stream { mark.yield() }
        }
        for await _ in started { break }
        unread.cancel()
        await #expect(throws: (any Error).self) { try await unread.value }
    }

    @Test("a cookie is sent with the next request")
    func cookies() async throws {
        server.route(nil, "/cookie") { _ in .status(200).header("Set-Cookie", "foo=1234") }
        server.route(nil, "/request") { .text($0.header("Cookie") ?? "none") }
        endpoint.cookies = CookieJar()
        _ = try await send(Call(path: "cookie"))
        #expect(try await send(Call(path: "request")).body == Data("foo=1234".utf8))
    }

    /// The server has a new version each time that the client asks for the one it knows, and a 304 for the old one.
    @Test("a stored response is validated by its entity tag, with the fields of the 304")
    func entityTags() async throws {
        let version = VersionedPage()
        server.route(nil, "/etag") { version.answer($0.header("If-None-Match")) }
        endpoint.cache = .memory()
        for number in 0..<3 {
            for isCached in [false, true] {
                let response = try await send(Call(path: "etag"))
                #expect(response.status == .ok && response.headers[.eTag] == "\"\(number)\"")
                #expect(response.headers["Cached"] == "\(isCached)")
                #expect(response.body == Data("\(number)".utf8))
            }
        }
        let asked = server.requests.map { $0.header("If-None-Match") ?? "" }
        #expect(asked == ["", "\"0\"", "\"0\"", "\"1\"", "\"1\"", "\"2\""])
    }
}

/// A page with an entity tag, which changes once a client knows it.
private final class VersionedPage: Sendable {
    private let number = Locked(0)

    func answer(_ known: String?) -> MockResponse {
        number.withLock { number in
            let tag = "\"\(number)\""
            guard known == tag else {
                return .text("\(number)").header("ETag", tag).header("Cached", "false")
            }
            number += 1
            return .status(304).header("ETag", tag).header("Cached", "true")
        }
    }
}
