import Foundation
import NetKit
import NetKitTesting
import Testing

/// The server dies in the middle of a body, at twenty points of each direction.
@Suite("Killed server", .serialized, .timeLimit(.minutes(15)))
struct KilledServerTests {
    private struct Upload: MultipartFormDataRequest {
        typealias ResponseObjectType = Void
        let path = "upload"
        let method: HTTPMethod = .post
        let files: [any MultipartFile]
    }

    private static let points = 20
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("fails an upload with a typed error, and leaks no file or descriptor")
    func upload() async throws {
        let size: Int64 = 64 << 20
        let file = folder.file("large.bin")
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(size))
        try handle.close()
        let part = DefaultMultipartFile(resource: file, mime: .binary, fileName: "large.bin")
        for point in 0..<Self.points {
            let server = try MockServer()
            server.keepsBodies = false
            let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
            server.requestBodyByteLimit = Int(size) * point / Self.points
            let error = await Upload(files: [part]).execute(on: endpoint).failure
            #expect(error?.kind == .transport(.connectionLost), "\(point)")
            #expect(server.requestCount == 0)
            #expect(server.acceptedConnectionCount == 1)
        }
        #expect(folder.contents == ["large.bin"])
        await expectNoOpenFiles(containing: folder.url.lastPathComponent)
    }

    @Test("fails a download with a typed error, and completes it from the next server")
    func download() async throws {
        let content = patterned(4 << 20)
        let file = folder.file("large.bin")
        let request = DefaultRequest<Void, ServerMessage>(path: "file").download(to: file)
        for point in 0..<Self.points {
            let cut = content.count * point / Self.points + 1
            let server = try MockServer()
            server.route("GET", "/file") {
                .resource(content, for: $0, eTag: "\"v1\"").stalling(afterBodyBytes: cut)
            }
            let endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
            let operation = request.execute(on: endpoint)
                .onTransfer { transfer in
                    if transfer.byteCount >= cut { server.stop() }
                }
            let error = await operation.failure
            let kinds: [FailureKind] = [
                .transport(.connectionLost), .transport(.truncatedResponse),
            ]
            #expect(kinds.contains { $0 == error?.kind }, "\(point): \(String(describing: error))")
            // A call that ends early waits for the disk no longer than a second.
            let names = ["large.bin.part", "large.bin.part-version"]
            await eventually { folder.contents == names }
            #expect(folder.contents == names)
            await expectNoOpenFiles(containing: folder.url.lastPathComponent)

            let next = try MockServer()
            next.route("GET", "/file") { .resource(content, for: $0, eTag: "\"v1\"") }
            _ = try await testEndpoint(baseURL: next.baseURL).value(for: request)
            #expect(try Data(contentsOf: file) == content)
            #expect(next.requests.first?.header("Range") == "bytes=\(cut)-")
            #expect(folder.contents == ["large.bin"])
            try FileManager.default.removeItem(at: file)
        }
        await expectNoOpenFiles(containing: folder.url.lastPathComponent)
    }
}
