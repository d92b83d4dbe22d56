import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

/// Nobody locks a file while it is uploaded: half of one must not pass for a whole one.
@Suite("File that changes during its upload", .timeLimit(.minutes(15)))
struct ChangingFileTests {
    /// How a file can be part of a body.
    enum Use: CaseIterable {
        case file, part, multipartURL, multipartPath
    }

    /// What can become of a file.
    enum Change: CaseIterable {
        case vanishes, becomesDirectory, isEmptied, losesItsLastByte

        func happen(to file: URL) throws {
            switch self {
            case .vanishes: try FileManager.default.removeItem(at: file)
            case .becomesDirectory:
                try FileManager.default.removeItem(at: file)
                try FileManager.default.createDirectory(
                    at: file,
                    withIntermediateDirectories: false
                )
            case .isEmptied: try truncate(file) { _ in 0 }
            case .losesItsLastByte: try truncate(file) { $0 - 1 }
            }
        }

        private func truncate(_ file: URL, to length: (UInt64) -> UInt64) throws {
            let handle = try FileHandle(forUpdating: file)
            defer { try? handle.close() }  // nothing is left to be written
            try handle.truncate(atOffset: length(handle.seekToEndOfFile()))
        }
    }

    private let server: MockServer
    private let folder: UploadFolder

    init() throws {
        server = try MockServer()
        server.route("POST", "/x") { _ in .text("whole") }
        folder = try UploadFolder()
    }

    @Test(
        "rejects a path that is no longer a file, by its name",
        arguments: Use.allCases,
        [Change.vanishes, .becomesDirectory]
    )
    func beforeCall(use: Use, change: Change) async throws {
        let file = try folder.file(.pattern(10))
        let request = request(use, [file])
        try change.happen(to: file)
        let error = await failure(of: request)
        #expect(error?.kind == .invalidRequest(.unreadableFile(file.path)))
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test(
        "sends the current file as a whole when it changed before the call",
        arguments: [Use.file, .multipartURL, .multipartPath],
        [Change.isEmptied, .losesItsLastByte]
    )
    func shorterBeforeCall(use: Use, change: Change) async throws {
        let file = try folder.file(.pattern(300_000))
        let request = request(use, [file])
        try change.happen(to: file)
        #expect(await failure(of: request) == nil)
        let sent = try #require(server.requests.last)
        let length = change == .isEmptied ? 0 : 299_999
        #expect(use == .file ? sent.bodyLength == length : sent.bodyLength - length < 1_000)
        #expect(sent.headers(named: "Content-Length") == ["\(sent.bodyLength)"])
    }

    @Test(
        "fails by name when the file changes after its length is known",
        arguments: Use.allCases,
        Change.allCases
    )
    func afterLength(use: Use, change: Change) async throws {
        for count in [10, 300_000] {
            let file = try folder.file(.pattern(count))
            let error = await failure(
                of: request(use, [file]),
                afterLength: { try change.happen(to: file) }
            )
            try await expect(error, names: file)
        }
    }

    @Test(
        "fails by name when the file changes while it is sent",
        arguments: Use.allCases,
        [Change.isEmptied, .losesItsLastByte]
    )
    func whileSent(use: Use, change: Change) async throws {
        let file = try folder.file(.pattern(300_000))
        let error = await failure(
            of: request(use, [file]),
            whileSent: { try change.happen(to: file) }
        )
        try await expect(error, names: file)
    }

    @Test(
        "fails by name when a part is outside of the file, before anything is sent",
        arguments: [(0, 11), (10, 11), (-1, 2), (.min, .max), (11, 11)] as [(Int64, Int64)]
    )
    func outside(start: Int64, end: Int64) async throws {
        let file = try folder.file(.pattern(10))
        let range = start..<end
        let error = await failure(
            of: TextRequest(path: "x", method: .post, body: .file(file, range: range))
        )
        #expect(error?.kind == .invalidRequest(.unreadableFile(file.path)))
        #expect(error?.message.contains("outside of its 10 bytes") == true)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test(
        "fails by name when the file of a part becomes another one of the same length, or longer",
        arguments: [true, false],
        [0, 9]
    )
    func rewritten(whileSent: Bool, more: Int) async throws {
        let file = try folder.file(.pattern(300_000))
        let change: @Sendable () throws -> Void = {
            try Data(repeating: 1, count: 300_000 + more).write(to: file)
            // Two changes within the resolution of the file system's times would look like one.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                ofItemAtPath: file.path
            )
        }
        let error = await failure(
            of: TextRequest(path: "x", method: .post, body: .file(file, range: 5..<200_000)),
            afterLength: { if !whileSent { try change() } },
            whileSent: { if whileSent { try change() } }
        )
        try await expect(error, names: file)
    }

    @Test("sends an open file whole when it is deleted meanwhile", arguments: Use.allCases)
    func vanishesWhileSent(use: Use) async throws {
        let bytes = Data.pattern(300_000)
        let file = try folder.file(bytes)
        let error = await failure(
            of: request(use, [file]),
            whileSent: { try Change.vanishes.happen(to: file) }
        )
        #expect(error == nil)
        let sent = try #require(server.requests.last)
        #expect((use == .file || use == .part ? sent.body : sent.multipart.last?.body) == bytes)
        #expect(sent.headers(named: "Content-Length") == ["\(sent.bodyLength)"])
        await expectNoDescriptors()
    }

    @Test(
        "fails by name when a file changes while an earlier one is sent",
        arguments: [Use.multipartURL, .multipartPath],
        Change.allCases
    )
    func behindAnother(use: Use, change: Change) async throws {
        let first = try folder.file(.pattern(300_000))
        let second = try folder.file(.pattern(10))
        let error = await failure(
            of: request(use, [first, second]),
            whileSent: { try change.happen(to: second) }
        )
        try await expect(error, names: second)
    }
}

extension ChangingFileTests {
    private typealias AnyUpload = any Request<String, ServerMessage>

    /// Does things to files at two moments of an upload.
    private struct InterruptedTransport: Transport {
        let transport = TransportUnderTest.make()
        /// Runs when the request is encoded and its body not open yet.
        let afterLength: @Sendable () throws -> Void
        /// Runs when bytes of the first file have been read, and before any more are.
        let whileSent: @Sendable () throws -> Void

        func send(
            _ request: EncodedRequest,
            to receiver: any TransportReceiver
        ) -> any TransportExchange {
            #expect(throws: Never.self) { try afterLength() }
            let receiver = InterruptedReceiver(receiver: receiver, whileSent: whileSent)
            return transport.send(request, to: receiver)
        }
    }

    private final class InterruptedReceiver: TransportReceiver {
        private let receiver: any TransportReceiver
        private let whileSent: @Sendable () throws -> Void
        private let isOver = Locked(false)

        init(receiver: any TransportReceiver, whileSent: @escaping @Sendable () throws -> Void) {
            self.receiver = receiver
            self.whileSent = whileSent
        }

        func receive(_ event: TransportEvent) {
            // A form has about 200 bytes before its first file.
            if case .sent(let count) = event, count > 1_000, !isOver.withLock({ $0 }) {
                isOver.withLock { $0 = true }
                #expect(throws: Never.self) { try whileSent() }
            }
            receiver.receive(event)
        }
    }

    /// A request of some files, of which only a form can have several.
    private func request(_ use: Use, _ files: [URL]) -> AnyUpload {
        if use == .file, let file = files.first {
            return TextRequest(path: "x", method: .post, body: .file(file))
        }
        if use == .part, let file = files.first {
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            let length = (attributes?[.size] as? Int64) ?? 0
            return TextRequest(path: "x", method: .post, body: .file(file, range: 0..<length))
        }
        let parts = files.map { file in
            let resource: any MultipartResourceConvertible = use == .multipartURL ? file : file.path
            return DefaultMultipartFile(resource: resource, mime: .binary, fileName: "f")
        }
        return DefaultMultipartFormDataRequest<String, ServerMessage>(
            path: "x",
            body: .params(["t": "v"]),
            files: parts
        )
    }

    /// What a call fails with, nil if it succeeds.
    private func failure(
        of request: AnyUpload,
        afterLength: @escaping @Sendable () throws -> Void = {},
        whileSent: @escaping @Sendable () throws -> Void = {}
    ) async -> ErrorResponse<ServerMessage>? {
        let transport = InterruptedTransport(afterLength: afterLength, whileSent: whileSent)
        let endpoint = Endpoint(baseURL: server.baseURL, transport: transport, retryingCount: 2)
        return await CallStyle.async.failure(of: request, on: endpoint)
    }

    private func expect(_ error: ErrorResponse<ServerMessage>?, names file: URL) async throws {
        #expect(error?.kind == .transport(.other))
        let invalid = error?.underlying as? InvalidRequest
        #expect(invalid?.reason == .unreadableFile(file.path))
        #expect(error?.message.contains(file.lastPathComponent) == true)
        #expect(server.requests.isEmpty)
        #expect(openFiles(containing: folder.url.lastPathComponent).isEmpty)
        try await server.waitUntilDisconnected()
    }

    /// Looks where the descriptors of this process lead, of which other tests have theirs.
    private func expectNoDescriptors() async {
        await expectNoOpenFiles(containing: folder.url.lastPathComponent)
    }
}

extension CallStyle {
    fileprivate func failure<R: Request<String, ServerMessage>>(
        of request: R,
        on endpoint: Endpoint
    ) async -> ErrorResponse<ServerMessage>? {
        await outcome(of: request, on: endpoint).error
    }
}
