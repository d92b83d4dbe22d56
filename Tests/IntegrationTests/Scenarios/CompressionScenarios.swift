import Foundation
import NetKit
import NetKitCompression
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Compressed request bodies", .timeLimit(.minutes(15)))
struct CompressionScenarios {
    private struct Upload: Request {
        typealias ResponseObjectType = Void
        var path = "upload"
        var method: HTTPMethod = .put
        let body: RequestBody?
        var headers: HTTPHeaders = [:]
    }

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route(nil, "/*") { _ in .status(204) }
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
        endpoint.interceptors = [GzipCompression()]
    }

    /// Text whose gzip file has about half of its length.
    private static func text(_ length: Int) -> Data {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(length + 1)
        for byte in patterned((length + 1) / 2) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return Data(text.prefix(length))
    }

    private func expectCompressed(_ request: RecordedRequest, _ content: Data) async throws {
        #expect(request.headers(named: "Content-Encoding") == ["gzip"])
        #expect(request.headers(named: "Content-Length") == ["\(request.bodyLength)"])
        #expect(request.header("Transfer-Encoding") == nil)
        #expect(request.bodyLength < content.count)
        #expect(try await gunzipped(request.body) == content)
    }

    /// A file of more than 1 MiB isn't kept in memory.
    @Test(
        "arrive compressed, with their length and media type, from memory and from files",
        arguments: [1_024, 100_000, 3_000_000]
    )
    func compressed(length: Int) async throws {
        let content = Self.text(length)
        let folder = try TemporaryFolder()
        let file = folder.file("content.txt")
        try content.write(to: file)
        let source = StreamResource(length: Int64(length)) { InputStream(data: content) }
        let bodies: [RequestBody] = [
            .raw(content), .file(file), .source(source.bodySource(), mime: "text/x-hex"),
            .file(file, range: 0..<Int64(length)),
        ]
        for body in bodies { _ = try await endpoint.value(for: Upload(body: body)) }
        #expect(server.requests.count == bodies.count)
        for request in server.requests { try await expectCompressed(request, content) }
        #expect(
            server.requests.map { $0.header("Content-Type") } == [
                "application/octet-stream", "text/plain", "text/x-hex", "application/octet-stream",
            ]
        )
    }

    @Test("aren't for other servers, which may not accept them")
    func otherServer() async throws {
        let other = try MockServer()
        other.route(nil, "/*") { _ in .status(204) }
        let content = Self.text(5_000)
        var upload = Upload(body: .raw(content))
        upload.path = other.url("/upload").absoluteString
        _ = try await endpoint.value(for: upload)
        let request = try #require(other.requests.first)
        #expect(request.header("Content-Encoding") == nil)
        #expect(request.body == content)
    }

    @Test("are sent again byte for byte by redirects and retries", arguments: [5_000, 3_000_000])
    func replayed(length: Int) async throws {
        let content = Self.text(length)
        let folder = try TemporaryFolder()
        let file = folder.file("content")
        try content.write(to: file)
        for body in [RequestBody.raw(content), .file(file)] {
            server.enqueue(.redirect(to: "/other", status: 307), .status(503))
            _ = try await endpoint.value(for: Upload(body: body))
        }
        #expect(server.requests.count == 6)
        #expect(Set(server.requests.map(\.body)).count == 1)
        for request in server.requests {
            #expect(request.headers(named: "Content-Encoding") == ["gzip"])
            #expect(request.headers(named: "Content-Length") == ["\(request.bodyLength)"])
        }
        let last = try #require(server.requests.last)
        #expect(try await gunzipped(last.body) == content)
    }

    @Test("lose their encoding with the body at a redirect to a GET")
    func seeOther() async throws {
        server.enqueue(.redirect(to: "/other", status: 303))
        _ = try await endpoint.value(for: Upload(body: .raw(Self.text(5_000))))
        let last = try #require(server.requests.last)
        #expect(last.method == "GET")
        #expect(last.header("Content-Encoding") == nil)
        #expect(last.bodyLength == 0)
    }

    @Test("of forms and sequences are compressed as a whole")
    func otherBodies() async throws {
        let content = Self.text(10_000)
        let pieces = AsyncStream<Data> { continuation in
            continuation.yield(content.prefix(4_000))
            continuation.yield(content.dropFirst(4_000))
            continuation.finish()
        }
        _ = try await endpoint.value(for: Upload(body: .stream(pieces)))
        try await expectCompressed(#require(server.requests.last), content)
        let text = String(decoding: content, as: UTF8.self)
        _ = try await endpoint.value(for: Upload(body: .multipart([.field("text", text)])))
        let form = try #require(server.requests.last)
        #expect(form.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(form.header("Content-Encoding") == "gzip")
        let parts = try await gunzipped(form.body)
        #expect(parts.range(of: content) != nil)
        #expect(parts.range(of: Data("name=\"text\"".utf8)) != nil)
    }

    @Test("are compressed once, whatever the number of interceptors and calls of the next one")
    func twice() async throws {
        struct Again: Interceptor {
            let scope = InterceptorScope.call
            func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
                _ = try await next(request)
                return try await next(request)
            }
        }
        let content = Self.text(5_000)
        endpoint.interceptors = [GzipCompression(), Again(), GzipCompression(), GzipCompression()]
        _ = try await endpoint.value(for: Upload(body: .raw(content)))
        #expect(server.requests.count == 2)
        for request in server.requests { try await expectCompressed(request, content) }
    }

    /// A request that is sent as it is.
    private struct Unchanged: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var content = CompressionScenarios.text(5_000)
        var headers: HTTPHeaders = [:]
        var minimum: Int64 = 1_024
    }

    private static let unchanged = [
        Unchanged(testDescription: "one byte too short", content: text(1_023)),
        Unchanged(testDescription: "own minimum", minimum: 5_001),
        Unchanged(testDescription: "random bytes", content: patterned(5_000)),
        Unchanged(testDescription: "PNG", headers: [.contentType: "image/png"]),
        Unchanged(testDescription: "gzip", headers: [.contentEncoding: "gzip"]),
        Unchanged(testDescription: "identity", headers: [.contentEncoding: "identity"]),
        Unchanged(testDescription: "digest", headers: ["Content-Digest": "sha-256=:AA==:"]),
        Unchanged(testDescription: "digest of all", headers: ["Repr-Digest": "sha-256=:AA==:"]),
        Unchanged(testDescription: "S3's checksum", headers: ["x-amz-checksum-crc32": "AAAAAA=="]),
        Unchanged(testDescription: "tus checksum", headers: ["Upload-Checksum": "sha1 AA=="]),
        Unchanged(testDescription: "chunk of a resumable upload", headers: ["Upload-Offset": "0"]),
        Unchanged(testDescription: "range", headers: ["Content-Range": "bytes 0-4999/5000"]),
    ]

    @Test(
        "are left alone if they are short, compressed, described by another field, or don't shrink",
        arguments: unchanged
    )
    private func untouched(row: Unchanged) async throws {
        endpoint.interceptors = [GzipCompression(minimumLength: row.minimum)]
        let source = BodySource(length: Int64(row.content.count)) {
            try row.content.bodySource().open()
        }
        for body in [RequestBody.raw(row.content), .source(source)] {
            _ = try await endpoint.value(for: Upload(body: body, headers: row.headers))
        }
        #expect(server.requests.count == 2)
        for request in server.requests {
            #expect(request.body == row.content)
            #expect(request.header("Content-Encoding") == row.headers[.contentEncoding])
        }
    }

    @Test("are missing in a request without a body")
    func noBody() async throws {
        endpoint.interceptors = [GzipCompression(minimumLength: 0)]
        _ = try await endpoint.value(for: Upload(method: .get, body: nil))
        _ = try await endpoint.value(for: Upload(body: .raw(Data())))
        #expect(server.requests.allSatisfy { $0.header("Content-Encoding") == nil })
        #expect(server.requests.allSatisfy { $0.bodyLength == 0 })
    }

    @Test("fail the call as without compression if they can't be read", arguments: [4_000, 6_000])
    func unreadable(announced: Int64) async throws {
        let content = Self.text(5_000)
        let source = BodySource(length: announced) { try content.bodySource().open() }
        let upload = Upload(body: .source(source))
        let error = await upload.execute(on: endpoint).failure
        endpoint.interceptors = []
        let plain = await upload.execute(on: endpoint).failure
        #expect(error?.kind == .transport(.other))
        let problem = (error?.underlying as? InvalidRequest)?.bodyProblem
        #expect(problem == (plain?.underlying as? InvalidRequest)?.bodyProblem)
        #expect(problem != nil)
        #expect(server.requests.isEmpty)
    }

    @Test("fail the call if they return other bytes when they are sent")
    func changed() async throws {
        let openings = Locked(0)
        let contents = [Self.text(3_000_000), Data(count: 3_000_000)]
        let source = BodySource(length: 3_000_000) {
            let number = openings.withLock { count in
                defer { count += 1 }
                return count
            }
            return try contents[min(number, 1)].bodySource().open()
        }
        let error = await Upload(body: .source(source)).execute(on: endpoint).failure
        #expect(error?.kind == .transport(.other))
        #expect(error?.underlying is InvalidRequest)
        #expect(server.requests.isEmpty)
        #expect(openings.withLock { $0 } > 1)
    }
}
