import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Request body from a source", .timeLimit(.minutes(15)))
struct BodySourceScenarios {
    private struct Upload: Request {
        typealias ResponseObjectType = Void
        let path = "upload"
        var method: HTTPMethod = .put
        let body: RequestBody?
    }

    private struct Broken: Error, Equatable {}

    /// Reads patterned bytes, and counts its openings and closings.
    private final class CountedReader: BodyReader {
        /// How many readers there were, and how many of them are open.
        struct Count {
            var all = 0
            var open = 0
        }

        private let data: Data
        private var offset = 0
        private let count: Locked<Count>
        private var isOpen = true

        init(_ data: Data, _ count: Locked<Count>) {
            self.data = data
            self.count = count
            count.withLock { count in
                count.all += 1
                count.open += 1
            }
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let next = data[offset...].prefix(min(buffer.count, 10_000))
            offset += next.count
            return next.withUnsafeBytes {
                buffer.copyMemory(from: $0)
                return $0.count
            }
        }

        func close() {
            if isOpen { count.withLock { $0.open -= 1 } }
            isOpen = false
        }
    }

    private let server: MockServer
    private let endpoint: Endpoint
    private let count = Locked(CountedReader.Count())

    init() throws {
        server = try MockServer()
        server.route(nil, "/upload") { _ in .status(204) }
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
    }

    private func source(_ data: Data, announced length: Int? = nil) -> BodySource {
        BodySource(length: Int64(length ?? data.count)) { [count] in CountedReader(data, count) }
    }

    @Test("arrives whole, with its length and media type", arguments: [0, 1, 65_536, 300_001])
    func arrives(length: Int) async throws {
        let data = patterned(length)
        let body = RequestBody.source(source(data), mime: "application/x-archive")
        _ = try await endpoint.value(for: Upload(body: body))
        let request = try #require(server.requests.first)
        #expect(request.body == data)
        #expect(request.headers(named: "Content-Length") == ["\(length)"])
        #expect(request.header("Transfer-Encoding") == nil)
        #expect(request.header("Content-Type") == "application/x-archive")
        await eventually { count.withLock { $0.open } == 0 }
    }

    @Test("is opened again for a redirect and a retry, and sent byte for byte")
    func replayed() async throws {
        let data = patterned(200_000)
        server.enqueue(.redirect(to: "/upload", status: 307), .status(503))
        _ = try await endpoint.value(for: Upload(body: .source(source(data))))
        #expect(server.requests.count == 3)
        for request in server.requests {
            #expect(request.body == data)
            #expect(request.header("Content-Type") == "application/octet-stream")
        }
        await eventually { count.withLock { $0.open } == 0 }
        #expect(count.withLock { $0.all } >= 3)
    }

    @Test("sends an input stream, data and a file, whose sources NetKit makes")
    func otherSources() async throws {
        let data = patterned(100_000)
        let folder = try TemporaryFolder()
        let file = folder.file("archive")
        try data.write(to: file)
        let stream = StreamResource(length: 100_000) { InputStream(data: data) }
        for source in [stream.bodySource(), data.bodySource(), try file.bodySource()] {
            server.enqueue(.status(503))
            _ = try await endpoint.value(for: Upload(body: .source(source)))
        }
        #expect(server.requests.count == 6)
        #expect(server.requests.allSatisfy { $0.body == data })
    }

    /// Where a source is used.
    private enum Place: CaseIterable { case body, form, interceptor }

    private struct Form: MultipartFormDataRequest {
        typealias ResponseObjectType = Void
        let path = "upload"
        let method: HTTPMethod = .put
        let files: [any MultipartFile]
    }

    /// A resource with a given source.
    private struct Resource: MultipartResourceConvertible {
        let source: BodySource
        func bodySource() -> BodySource { source }
    }

    @Test(
        "fails the call when its length is wrong, without a complete request",
        arguments: Place.allCases,
        [(10, -1), (10, 1), (200_000, -1), (200_000, 1)]
    )
    private func wrongLength(place: Place, _ lengths: (length: Int, difference: Int)) async throws {
        let (length, difference) = lengths
        let source = source(patterned(length), announced: length + difference)
        let error: ErrorResponse<ServerMessage>?
        switch place {
        case .body: error = await Upload(body: .source(source)).execute(on: endpoint).failure
        case .form:
            let file = Resource(source: source)
            error = await Form(
                files: [DefaultMultipartFile(resource: file, mime: .binary, fileName: "a")]
            )
            .execute(on: endpoint).failure
        case .interceptor:
            endpoint.interceptors = [
                ClosureInterceptor { request, next in
                    var request = request
                    request.body = source
                    return try await next(request)
                }
            ]
            error = await Upload(body: .raw(Data())).execute(on: endpoint).failure
        }
        #expect(error?.kind == .transport(.other))
        let read = difference < 0 ? length + difference + 1 : length
        let problem = (error?.underlying as? InvalidRequest)?.bodyProblem
        #expect(
            problem == .wrongLength(Int64(read), announced: Int64(length + difference))
        )
        #expect(server.requests.isEmpty)
        await eventually { count.withLock { $0.open } == 0 }
    }

    @Test("isn't read beyond a buffer, whatever count the reader of an interceptor's body claims")
    func claims() async throws {
        final class Claiming: BodyReader {
            private var rest = 100_000

            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                guard rest > 0 else { return 0 }
                for index in buffer.indices { buffer[index] = 1 }
                rest -= buffer.count
                return buffer.count + 1
            }

            func close() {}
        }
        endpoint.interceptors = [
            ClosureInterceptor { request, next in
                var request = request
                request.body = BodySource(length: 100_000) { Claiming() }
                return try await next(request)
            }
        ]
        _ = try await endpoint.value(for: Upload(body: .raw(Data())))
        #expect(server.requests.first?.body == Data(repeating: 1, count: 100_000))
    }

    @Test("fails the call with the error that opening or reading it throws")
    func throwing() async throws {
        let body = RequestBody.source(BodySource(length: 5) { throw Broken() })
        let error = await Upload(body: body).execute(on: endpoint).failure
        #expect(error?.kind == .transport(.other))
        #expect(error?.underlying as? Broken == Broken())
        #expect(server.requests.isEmpty)
    }

    @Test("is refused with a GET, and beside the files of a form, unopened")
    func refused() async throws {
        struct Form: MultipartFormDataRequest {
            typealias ResponseObjectType = Void
            let path = "upload"
            let body: RequestBody?
            let files: [any MultipartFile] = [
                DefaultMultipartFile(resource: Data(), mime: .binary, fileName: "a")
            ]
        }
        let body = RequestBody.source(source(patterned(5)))
        let get = await Upload(method: .get, body: body).execute(on: endpoint).failure
        #expect(get?.kind == .invalidRequest(.invalidMethod("GET with a body")))
        let form = await Form(body: body).execute(on: endpoint).failure
        guard case .invalidRequest(let invalid) = form else {
            Issue.record("\(form.debugDescription)")
            return
        }
        #expect(invalid.bodyProblem == .notAForm)
        #expect(count.withLock { $0.all } == 0)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("describes itself without being opened")
    func shown() throws {
        let body = RequestBody.source(source(patterned(5)))
        #expect("\(body)" == "source (5 bytes)")
        #expect(try endpoint.cURL(for: Upload(body: body)).contains("# without the body"))
        #expect(count.withLock { $0.all } == 0)
    }
}
