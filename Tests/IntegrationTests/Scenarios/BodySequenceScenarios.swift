import Foundation
import NetKit
import NetKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Request body from a sequence", .timeLimit(.minutes(15)))
struct BodySequenceScenarios {
    private struct Upload: Request {
        typealias ResponseObjectType = Void
        let path = "upload"
        let method: HTTPMethod = .put
        let body: RequestBody?
    }

    private struct Broken: Error, Equatable {}

    private let server: MockServer
    private let endpoint: Endpoint

    init() throws {
        server = try MockServer()
        server.route("PUT", "/upload") { _ in .status(204) }
        endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy.backoff = .none
    }

    private static func pieces(_ count: Int, of size: Int) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for seed in 0..<count { continuation.yield(patterned(size, seed: UInt64(seed))) }
            continuation.finish()
        }
    }

    private static func whole(_ count: Int, of size: Int) -> Data {
        (0..<count).reduce(into: Data()) { $0 += patterned(size, seed: UInt64($1)) }
    }

    @Test(
        "arrives whole, with its length and media type",
        arguments: [(0, 1), (1, 1), (40, 65_537)]
    )
    func arrives(count: Int, size: Int) async throws {
        let body = RequestBody.stream(Self.pieces(count, of: size), mime: "application/x-pieces")
        _ = try await endpoint.value(for: Upload(body: body))
        let request = try #require(server.requests.first)
        #expect(request.body == Self.whole(count, of: size))
        #expect(request.headers(named: "Content-Length") == ["\(count * size)"])
        #expect(request.header("Transfer-Encoding") == nil)
        #expect(request.header("Content-Type") == "application/x-pieces")
    }

    @Test("accepts elements of bytes, slices and data")
    func elements() async throws {
        let arrays = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1, 2])
            continuation.yield([3])
            continuation.finish()
        }
        _ = try await endpoint.value(for: Upload(body: .stream(arrays)))
        #expect(server.requests.first?.body == Data([1, 2, 3]))
        #expect(server.requests.first?.header("Content-Type") == "application/octet-stream")
    }

    @Test("is iterated once and replayed byte for byte after a redirect or a failure")
    func replayed() async throws {
        server.enqueue(.redirect(to: "/upload", status: 307), .status(503))
        _ = try await endpoint.value(for: Upload(body: .stream(Self.pieces(3, of: 50_000))))
        #expect(server.requests.count == 3)
        let expected = Self.whole(3, of: 50_000)
        for request in server.requests { #expect(request.body == expected) }
    }

    @Test("fails the call with its error before sending")
    func throwing() async throws {
        let sequence = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("half".utf8))
            continuation.finish(throwing: Broken())
        }
        let error = await Upload(body: .stream(sequence)).execute(on: endpoint).failure
        #expect(error?.kind == .interceptor)
        #expect(error?.underlying as? Broken == Broken())
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test(
        "is rejected when its length differs from the announced length",
        arguments: [(5, 50, false), (1000, 100, false), (0, 50, true)]
    )
    func wrongLength(length: Int64, read: Int, isLive: Bool) async throws {
        let body = RequestBody.stream(Self.pieces(2, of: 50), length: length, isLive: isLive)
        let error = await Upload(body: body).execute(on: endpoint).failure
        let reason = "a sequence of \(read) bytes, announced as \(length)"
        #expect(error?.kind == .invalidRequest(.unencodableBody(reason)))
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("stops at a cancel or the call's deadline")
    func endless() async throws {
        let (silent, _) = AsyncStream.makeStream(of: Data.self)
        let operation = Upload(body: .stream(silent)).execute(on: endpoint)
        let waiting = Task { await operation.failure }
        operation.cancel()
        #expect(await waiting.value?.kind == .cancelled)
        let (other, _) = AsyncStream.makeStream(of: Data.self)
        let late = Upload(body: .stream(other)).execute(on: endpoint)
            .deadline(after: .milliseconds(20))
        #expect(await late.failure?.kind == .timeout(.total))
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("leaves no temporary file or descriptor, however the call ends")
    func nothingLeft() async {
        // In a process of its own, which has a folder for temporary files of its own.
        await #expect(processExitsWith: .success) {
            closeInheritedSockets()
            let folder = try TemporaryFolder()
            setenv("TMPDIR", folder.url.path, 1)
            try #require(FileManager.default.temporaryDirectory.path == folder.url.path)
            let server = try MockServer()
            let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
            // While a body is being made, it is in a file there, which has no name.
            let (pieces, sink) = AsyncStream.makeStream(of: Data.self)
            let operation = Upload(body: .stream(pieces)).execute(on: endpoint).onFail { _ in }
            sink.yield(Data(count: 70_000))
            await eventually {
                openFiles(containing: folder.url.path).count == 1 && folder.contents.isEmpty
            }
            operation.cancel()
            #expect(await operation.failure?.kind == .cancelled)
            for status in [204, 503, 404] {
                server.enqueue(.status(status))
                let upload = Upload(body: .stream(Self.pieces(2, of: 70_000)))
                _ = await upload.execute(on: endpoint).failure
            }
            #expect(server.requests.count == 3)
            await expectNoOpenFiles(containing: folder.url.path)
            #expect(folder.contents.isEmpty)
        }
    }

    @Test("describes itself without being iterated")
    func shown() throws {
        let (silent, _) = AsyncStream.makeStream(of: Data.self)
        let request = Upload(body: .stream(silent, length: 12))
        #expect(try endpoint.cURL(for: request).contains("# without the body, which comes"))
        #expect(try endpoint.urlRequest(for: request).httpBody == nil)
        #expect(request.body?.description == "stream (12 bytes)")
    }
}
