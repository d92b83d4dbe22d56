import Foundation
import NetKitSupport
import NetKitTesting
import Testing

@testable import NetKit
@testable import NetKitTus

@Suite("Resumable upload", .timeLimit(.minutes(15)))
struct TusUploadTests {
    private let server: TusServer
    private let folder: TusFolder
    private let clock = ManualClock(skippingDelays: true)

    init() throws {
        server = try TusServer()
        folder = try TusFolder()
    }

    private func endpoint(retries: Int = 2) -> Endpoint {
        Endpoint(baseURL: server.mock.baseURL, retryingCount: retries, clock: clock)
    }

    private func upload(_ chunk: Int64 = 1000, metadata: [String: String] = [:]) -> TusUpload {
        var upload = TusUpload(folder.file, to: "files", metadata: metadata)
        upload.chunkSize = chunk
        return upload
    }

    /// Expects that an upload is complete, and that nothing is left of it.
    private func expectWhole(_ bytes: Data, at url: URL?) throws {
        let name = try #require(url).lastPathComponent
        #expect(server.uploads["/\(name)"]?.bytes == bytes)
        #expect(server.violations.isEmpty)
        #expect(try folder.names == ["film.mp4"])
    }

    @Test(
        "sends the file in chunks, and leaves no record",
        arguments: [
            (0, 1000, "POST"), (1, 1000, "POST PATCH"), (1000, 1000, "POST PATCH"),
            (2500, 1000, "POST PATCH PATCH PATCH"), (3, -5, "POST PATCH PATCH PATCH"),
            (2500, .max, "POST PATCH"),
        ] as [(Int, Int64, String)]
    )
    func chunks(count: Int, chunk: Int64, methods: String) async throws {
        let bytes = try folder.fill(count)
        let url = try await upload(chunk).send(on: endpoint())
        try expectWhole(bytes, at: url)
        #expect(server.methods == methods)
    }

    @Test("tells the server about the file, in the order of the keys")
    func metadata() async throws {
        try folder.fill(1)
        let values = ["filetype": "video/mp4", "filename": "Größe, 1.mp4", "is-public": ""]
        try await upload(metadata: values).send(on: endpoint())
        let expected = "filename R3LDtsOfZSwgMS5tcDQ=,filetype dmlkZW8vbXA0,is-public"
        #expect(server.uploads["/1"]?.metadata == expected)
        for key in ["", "a b", "a,b", "é", "a\n"] {
            let error = await #expect(throws: TusError.self) {
                try await upload(metadata: [key: "v"]).send(on: endpoint())
            }
            guard case .invalidMetadata(key) = error else {
                Issue.record("\(key): \(String(describing: error))")
                continue
            }
        }
        #expect(server.methods == "POST PATCH")
    }

    @Test("reports what is sent, in order, up to the whole length")
    func progress() async throws {
        let bytes = try folder.fill(5000)
        server.script(.patch, .served, .cut(500))
        var reports: [Int64] = []
        let url = try await upload()
            .send(on: endpoint()) { sent, length in
                #expect(length == 5000)
                reports.append(sent)
            }
        try expectWhole(bytes, at: url)
        #expect(reports.first == 0)
        #expect(reports.last == 5000)
        for offset: Int64 in [1000, 1500, 2500, 3500, 4500] { #expect(reports.contains(offset)) }
        // Only the failure leads back.
        #expect(zip(reports, reports.dropFirst()).count { $0 > $1 } <= 1)
    }

    @Test("carries the endpoint's credentials only to its own origin", arguments: [false, true])
    func credentials(isElsewhere: Bool) async throws {
        let bytes = try folder.fill(10)
        let other = try TusServer()
        let endpoint = endpoint()
        endpoint.headers.authToken = .bearer("t")
        if isElsewhere {
            other.state.withLock { $0.uploads["/9"] = .init(length: 10, metadata: nil) }
            server.script(
                .post,
                .refused(201, ["Location": other.mock.url("/files/9").absoluteString])
            )
            let url = try await upload().send(on: endpoint)
            #expect(url == other.mock.url("/files/9"))
            #expect(other.uploads["/9"]?.bytes == bytes)
            #expect(other.mock.requests.allSatisfy { $0.header("Authorization") == nil })
        } else {
            try await upload().send(on: endpoint)
        }
        #expect(server.mock.requests.allSatisfy { $0.header("Authorization") == "Bearer t" })
    }

    @Test(
        "sends a checksum with each chunk, and sends a damaged one again",
        arguments: TusUpload.Checksum.allCases
    )
    func checksums(algorithm: TusUpload.Checksum) async throws {
        let bytes = try folder.fill(2500)
        server.script(.patch, .served, .refused(460))
        var upload = upload()
        upload.checksum = algorithm
        let url = try await upload.send(on: endpoint(retries: 0))
        try expectWhole(bytes, at: url)
        #expect(server.methods == "POST PATCH PATCH HEAD PATCH PATCH")
        let fields = server.mock.requests.compactMap { $0.header("Upload-Checksum") }
        #expect(fields.count == 4)
        #expect(fields.allSatisfy { $0.hasPrefix("\(algorithm.rawValue) ") })
    }

    @Test("ends when the task is canceled, and continues later")
    func cancellation() async throws {
        let bytes = try folder.fill(3000)
        server.script(.patch, .served, .stalled)
        let (upload, endpoint) = (upload(), endpoint())
        let task = Task { try await upload.send(on: endpoint) }
        _ = try await server.mock.waitForRequests(3)
        task.cancel()
        let error = await #expect(throws: TusError.self) { try await task.value }
        #expect(error?.isCancellation == true)
        try expectWhole(bytes, at: try await upload.send(on: endpoint))
        #expect(server.methods == "POST PATCH PATCH HEAD PATCH PATCH")
    }
}

// MARK: - Stops

extension TusUploadTests {
    @Test("ends when all requests are canceled just before a chunk is sent")
    func canceledBetween() async throws {
        try folder.fill(10)
        let (upload, endpoint) = (upload(), endpoint())
        var count = 0
        let error = await #expect(throws: TusError.self) {
            try await upload.send(on: endpoint) { _, _ in
                count += 1
                // Not while the chunk is sent.
                if count == 1 { endpoint.cancelAllRequests() }
            }
        }
        #expect(error?.isCancellation == true)
    }

    @Test(
        "ends in a request that begins while all requests are canceled",
        arguments: [false, true]
    )
    func canceledMeanwhile(reports: Bool) async throws {
        try folder.fill(2000)
        let (upload, endpoint) = (upload(), endpoint())
        let calls = Locked<[CallControl]>([])
        server.onRequest.withLock { onRequest in
            onRequest[.patch] = {
                calls.withLock { calls in
                    // What cancelAllRequests() does if it doesn't know the second chunk yet.
                    for call in calls { call.stop(.cancelled) }
                    calls = endpoint.calls.withLock { $0.controls }
                }
            }
        }
        let error = await #expect(throws: TusError.self) {
            try await upload.send(on: endpoint, progress: reports ? { _, _ in } : nil)
        }
        #expect(error?.isCancellation == true)
        #expect(server.methods == "POST PATCH PATCH")
    }
}

extension TusUploadTests {
    @Test("ends while it hashes a chunk, however large that is", arguments: [false, true])
    func canceledHash(isTask: Bool) async throws {
        // A hole, which takes days to hash.
        try folder.fill(0)
        #expect(truncate(folder.file.path, 1 << 40) == 0)
        var upload = upload(.max)
        upload.checksum = .sha1
        let task = Task { [upload, endpoint = endpoint()] in
            try await upload.send(on: endpoint) { _, _ in
                if isTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                } else {
                    endpoint.cancelAllRequests()
                }
            }
        }
        let error = await #expect(throws: TusError.self) { try await task.value }
        #expect(error?.isCancellation == true)
        #expect(server.methods == "POST")
    }
}

// MARK: - Cuts

extension TusUploadTests {
    /// A phase of an upload, and what breaks it.
    struct Cut: Sendable, CustomTestStringConvertible {
        let method: HTTPMethod
        let turns: [TusServer.Turn]
        let testDescription: String
        /// How many uploads the server has then: it keeps one whose URL was lost.
        var uploads: Int {
            if method == .post, case .unanswered? = turns.first { 2 } else { 1 }
        }

        init(_ method: HTTPMethod, _ turns: TusServer.Turn...) {
            (self.method, self.turns) = (method, turns)
            testDescription = "\(method): \(turns)"
        }

        static let all: [Cut] = [
            Cut(.post, .lost), Cut(.post, .unanswered), Cut(.post, .refused(503)),
            Cut(.patch, .lost), Cut(.patch, .cut(0)), Cut(.patch, .cut(1)), Cut(.patch, .cut(999)),
            Cut(.patch, .unanswered), Cut(.patch, .served, .lost), Cut(.patch, .served, .cut(300)),
            Cut(.patch, .served, .served, .unanswered), Cut(.patch, .refused(503)),
            Cut(.patch, .refused(409)), Cut(.patch, .refused(423)), Cut(.patch, .refused(460)),
        ]
    }

    @Test(
        "continues in the same call after a cut, and sends at most one chunk again",
        arguments: Cut.all
    )
    func sameCall(cut: Cut) async throws {
        let bytes = try folder.fill(2500)
        server.state.withLock {
            $0.turns = [cut.method: cut.turns, .head: [.lost, .refused(423)]]
        }
        let url = try await upload().send(on: endpoint())
        try expectWhole(bytes, at: url)
        #expect(server.state.withLock { $0.received } <= 2500 + 1000)
        #expect(server.state.withLock { $0.created } == cut.uploads)
    }

    @Test(
        "continues in another call after a cut, and sends at most one chunk again",
        arguments: Cut.all
    )
    func anotherCall(cut: Cut) async throws {
        let bytes = try folder.fill(2500)
        server.state.withLock { $0.turns = [cut.method: cut.turns + [cut.turns.last ?? .lost]] }
        server.state.withLock { $0.turns[.head] = [.lost] }
        await #expect(throws: TusError.self) { try await upload().send(on: endpoint(retries: 0)) }
        server.state.withLock { $0.turns = [:] }
        try expectWhole(bytes, at: try await upload().send(on: endpoint(retries: 0)))
        #expect(server.state.withLock { $0.received } <= 2500 + 1000)
        #expect(server.state.withLock { $0.created } == cut.uploads)
    }

    @Test("fails after as many failures without progress as the retry policy allows")
    func exhaustion() async throws {
        let bytes = try folder.fill(4000)
        server.script(.patch, .lost, .refused(502), .cut(0), .served)
        let error = await #expect(throws: TusError.self) {
            try await upload().send(on: endpoint(retries: 2))
        }
        #expect(error?.isTransient == true)
        #expect(server.methods == "POST PATCH HEAD PATCH HEAD PATCH")
        // With progress in between, there may be any number.
        server.script(.patch, .cut(62), .cut(62), .cut(62), .cut(62), .served, .cut(62), .cut(62))
        try expectWhole(bytes, at: try await upload().send(on: endpoint(retries: 1)))
    }

    @Test("continues with any number of chunks behind what the server has had")
    func goesBack() async throws {
        let bytes = try folder.fill(400)
        let turns = Array(repeating: TusServer.Turn.served, count: 30) + [.rolledBack(50)]
        server.state.withLock { $0.turns[.patch] = turns }
        try expectWhole(bytes, at: try await upload(10).send(on: endpoint(retries: 1)))
    }

    @Test(
        "fails when the server takes less than a sixteenth of each chunk",
        arguments: [TusServer.Turn.cut(1), .partial(1)]
    )
    func littleProgress(turn: TusServer.Turn) async throws {
        let bytes = try folder.fill(4000)
        server.state.withLock { $0.turns[.patch] = Array(repeating: turn, count: 200) }
        await #expect(throws: TusError.self) {
            try await upload().send(on: endpoint(retries: 1))
        }
        #expect(server.mock.requests.count < 40)
        server.state.withLock { $0.turns = [:] }
        try expectWhole(bytes, at: try await upload().send(on: endpoint()))
    }

    @Test("waits as long as the server asks, and no longer than the retry policy allows")
    func retryAfter() async throws {
        let bytes = try folder.fill(10)
        server.script(
            .patch,
            .refused(503, ["Retry-After": "40"]),
            .refused(503, ["Retry-After": "90"])
        )
        let error = await #expect(throws: TusError.self) { try await upload().send(on: endpoint()) }
        #expect(error?.response?.status == 503)
        #expect(clock.skippedDelays == [.seconds(40)])
        try expectWhole(bytes, at: try await upload().send(on: endpoint()))
    }

    @Test(
        "doesn't continue after a refusal that isn't transient",
        arguments: [400, 401, 403, 413, 415]
    )
    func refusal(status: Int) async throws {
        try folder.fill(10)
        server.script(.patch, .refused(status))
        let error = await #expect(throws: TusError.self) { try await upload().send(on: endpoint()) }
        #expect(error?.response?.statusCode == status)
        #expect(server.methods == "POST PATCH")
    }

    @Test("starts over once when the server has discarded the upload", arguments: [404, 410])
    func startsOver(status: Int) async throws {
        let bytes = try folder.fill(2500)
        // While it is sent.
        server.script(.patch, .served, .refused(status))
        try expectWhole(bytes, at: try await upload().send(on: endpoint(retries: 0)))
        #expect(server.state.withLock { $0.created } == 2)
        // Before it continues.
        server.script(.patch, .served, .lost)
        await #expect(throws: TusError.self) { try await upload().send(on: endpoint(retries: 0)) }
        server.script(.head, .refused(status))
        try expectWhole(bytes, at: try await upload().send(on: endpoint(retries: 0)))
        #expect(server.state.withLock { $0.created } == 4)
        // Always.
        server.script(.patch, .refused(status), .refused(status))
        let error = await #expect(throws: TusError.self) { try await upload().send(on: endpoint()) }
        #expect(error?.response?.statusCode == status)
        #expect(server.state.withLock { $0.created } == 6)
    }
}

extension TusUploadTests {
    /// Uploads the first chunk of a file.
    private func interrupt() async throws {
        server.script(.patch, .served, .lost)
        await #expect(throws: TusError.self) { try await upload().send(on: endpoint(retries: 0)) }
    }

    @Test("starts over once when the server forbids the question for the offset")
    func forbidden() async throws {
        let bytes = try folder.fill(2500)
        try await interrupt()
        server.script(.head, .refused(403))
        try expectWhole(bytes, at: try await upload().send(on: endpoint(retries: 0)))
        #expect(server.methods == "POST PATCH PATCH HEAD POST PATCH PATCH PATCH")
        // Always.
        try await interrupt()
        server.mock.clearRequests()
        server.script(.patch, .lost)
        server.script(.head, .refused(403), .refused(403))
        let error = await #expect(throws: TusError.self) { try await upload().send(on: endpoint()) }
        #expect(error?.response?.statusCode == 403)
        #expect(server.methods == "HEAD POST PATCH HEAD")
    }

    @Test("doesn't start over when a 403 has an offset")
    func forbiddenWithOffset() async throws {
        let bytes = try folder.fill(2500)
        try await interrupt()
        server.script(.head, .refused(403, ["Upload-Offset": "1000"]))
        let error = await #expect(throws: TusError.self) { try await upload().send(on: endpoint()) }
        #expect(error?.response?.statusCode == 403)
        try expectWhole(bytes, at: try await upload().send(on: endpoint()))
        #expect(server.state.withLock { $0.created } == 1)
    }

    @Test("asks for an expired upload too, which may be complete")
    func expired() async throws {
        let bytes = try folder.fill(1000)
        server.state.withLock { $0.expires = "Sun, 06 Nov 1994 08:49:37 GMT" }
        server.script(.patch, .unanswered)
        await #expect(throws: TusError.self) { try await upload().send(on: endpoint(retries: 0)) }
        try expectWhole(bytes, at: try await upload().send(on: endpoint(retries: 0)))
        #expect(server.methods == "POST PATCH HEAD")
    }
}

// MARK: - Answers of broken servers

extension TusUploadTests {
    @Test(
        "fails with a typed error when the server claims to have more than the file",
        arguments: [HTTPMethod.patch, .head]
    )
    func beyondLength(method: HTTPMethod) async throws {
        try folder.fill(10)
        server.script(.patch, .lost)
        let status = method == .patch ? 204 : 200
        server.script(method, .refused(status, ["Upload-Offset": "11"]))
        let error = await #expect(throws: TusError.self) {
            try await upload().send(on: endpoint())
        }
        guard case .offsetBeyondLength(11, length: 10) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "fails with the name of a field that is missing or invalid",
        arguments: [
            (.post, 201, [:], "Location"), (.post, 201, ["Location": "ftp://h/1"], "Location"),
            (.post, 201, ["Location": "http:///1"], "Location"),
            (.patch, 204, [:], "Upload-Offset"),
            (.patch, 204, ["Upload-Offset": "-1"], "Upload-Offset"),
            (.patch, 204, ["Upload-Offset": "0"], "Upload-Offset"),
            (.patch, 204, ["Upload-Offset": "9"], "Upload-Offset"),
            (.patch, 204, ["Upload-Offset": "99999999999999999999"], "Upload-Offset"),
            (.head, 200, [:], "Upload-Offset"),
            (.head, 200, ["Upload-Offset": "x"], "Upload-Offset"),
            (.head, 200, ["Upload-Offset": "1", "Upload-Length": "11"], "Upload-Length"),
        ] as [(HTTPMethod, Int, [String: String], HTTPHeaderName)]
    )
    func invalidField(
        method: HTTPMethod,
        status: Int,
        fields: [String: String],
        name: HTTPHeaderName
    ) async throws {
        try folder.fill(10)
        server.script(.patch, .lost)
        server.script(method, .refused(status, fields))
        let error = await #expect(throws: TusError.self) {
            try await upload(8).send(on: endpoint())
        }
        guard case .invalidResponse(let response, field: name) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.statusCode == status)
        #expect(error?.message == "the response has no valid \(name)")
    }

    @Test("doesn't follow a Location from https to http", arguments: ["http", "https"])
    func downgrade(scheme: String) throws {
        let creation = try #require(URL(string: "https://h.test/files"))
        let response = HTTPResponse(
            to: EncodedRequest(url: creation, method: .post),
            status: 201,
            headers: ["Location": "\(scheme)://h.test/files/1"]
        )
        if scheme == "https" {
            #expect(try response.uploadURL.absoluteString == "https://h.test/files/1")
        } else {
            #expect(throws: TusError.self) { try response.uploadURL }
        }
    }

    @Test("names the versions of a server that doesn't speak 1.0.0")
    func version() async throws {
        try folder.fill(10)
        server.script(.post, .refused(412, ["Tus-Version": "0.2.2"]))
        let error = await #expect(throws: TusError.self) { try await upload().send(on: endpoint()) }
        #expect(error?.message == "the server doesn't speak tus 1.0.0, but \"0.2.2\"")
    }
}
