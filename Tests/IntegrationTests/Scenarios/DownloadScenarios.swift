import Foundation
import NetKit
import NetKitSupport
import NetKitTesting
import Testing

@Suite("Downloads", .timeLimit(.minutes(15)))
struct DownloadScenarios {
    private struct Release: Request {
        typealias ResponseObjectType = Void
        var path = "release"
    }

    private let folder: TemporaryFolder
    private let server: MockServer
    private let endpoint: Endpoint
    private let content = patterned(1 << 20)
    private let restarts = Locked<[String]>([])
    private let logger = LineLogger(level: .info)

    init() throws {
        folder = try TemporaryFolder()
        server = try MockServer()
        endpoint = testEndpoint(baseURL: server.baseURL, retryingCount: 0)
        endpoint.logger = logger
        endpoint.observation.registerEvents { [restarts] event in
            guard case .startedOver(let reason) = event.kind else { return }
            restarts.withLock { $0.append(reason) }
        }
    }

    /// Checks why the download started over, as observers and the log tell it.
    private func expectRestart(_ reasons: String...) {
        #expect(restarts.withLock { $0 } == reasons)
        // The whole file is asked for without a condition.
        let whole = server.requests.filter { $0.header("Range") == nil }
        #expect(whole.allSatisfy { $0.header("If-Range") == nil })
        let lines = logger.lines.filter { $0.contains("starts over") }
        #expect(lines.count == reasons.count)
        for (line, reason) in zip(lines, reasons) {
            #expect(line.hasPrefix("info") && line.hasSuffix("the download starts over: \(reason)"))
        }
    }

    private var file: URL { folder.file("release.bin") }
    private var part: URL { folder.file("release.bin.part") }

    private func serve(_ content: Data, eTag: String? = "\"v1\"", cutAt cut: Int? = nil) {
        server.route("GET", "/release") { request in
            let response = MockResponse.resource(content, for: request, eTag: eTag)
            return cut.map { response.cutting(afterBodyBytes: $0) } ?? response
        }
    }

    /// Leaves a part of the first bytes behind, as a connection that breaks does.
    private func leavePart(of count: Int, eTag: String? = "\"v1\"") async throws {
        serve(content, eTag: eTag, cutAt: count)
        let kind = await failure()?.kind
        #expect(kind == .transport(.truncatedResponse))
        try await expectPart(of: count)
        server.clearRequests()
    }

    /// Waits for the bytes of the part: a call that ends early waits for the disk no longer than a second.
    private func expectPart(of count: Int) async throws {
        await eventually { (try? Data(contentsOf: part))?.count == count }
        #expect(try Data(contentsOf: part) == content.prefix(count))
    }

    private func download(
        _ request: Release = Release(),
        resuming: Bool = true
    ) async throws(ErrorResponse<ServerMessage>) {
        _ = try await endpoint.value(for: request.download(to: file, resuming: resuming))
    }

    private func failure(
        resuming: Bool = true,
        of request: Release = Release()
    ) async -> ErrorResponse<ServerMessage>? {
        do throws(ErrorResponse<ServerMessage>) {
            try await download(request, resuming: resuming)
            return nil
        } catch {
            return error
        }
    }

    @Test("writes beside the file, then replaces it")
    func whole() async throws {
        serve(content)
        try Data("old".utf8).write(to: file)
        let saved = try await endpoint.value(for: Release().download(to: file))
        #expect(saved == file)
        #expect(try Data(contentsOf: file) == content)
        #expect(folder.contents == ["release.bin"])
        #expect(server.requests.first?.header("Accept-Encoding") == "identity")
        #expect(server.requests.first?.header("Range") == nil)
    }

    @Test("keeps its partial file and resumes with Range and If-Range")
    func resumed() async throws {
        try await leavePart(of: 300_000)
        #expect(folder.contents == ["release.bin.part", "release.bin.part-version"])
        serve(content)
        try await download()
        #expect(try Data(contentsOf: file) == content)
        #expect(folder.contents == ["release.bin"])
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.header("Range") == "bytes=300000-")
        #expect(request.header("If-Range") == "\"v1\"")
    }

    @Test("resumes by date without an entity tag")
    func resumedByDate() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        server.route("GET", "/release") { [content] request in
            .resource(content, for: request, lastModified: date)
                .header("Date", "Sun, 06 Nov 1994 09:00:00 GMT")
                .cutting(afterBodyBytes: request.header("Range") == nil ? 1000 : 1 << 20)
        }
        _ = await failure()
        _ = await failure()
        #expect(server.requests.last?.header("If-Range") == date)
        #expect(server.requests.last?.header("Range") == "bytes=1000-")
    }

    @Test("resumes from another URL or server")
    func otherURL() async throws {
        try await leavePart(of: 300_000)
        let mirror = try MockServer()
        mirror.route("GET", "/copy") { [content] in
            .resource(content, for: $0, eTag: "\"v1\"")
        }
        let request = Release(path: mirror.url("/copy").absoluteString)
        try await download(request)
        #expect(mirror.requests.first?.header("Range") == "bytes=300000-")
        #expect(try Data(contentsOf: file) == content)
    }

    @Test("resumes after a redirect")
    func redirected() async throws {
        try await leavePart(of: 300_000)
        server.route("GET", "/release") { _ in .redirect(to: "/moved") }
        server.route("GET", "/moved") { [content] in .resource(content, for: $0, eTag: "\"v1\"") }
        try await download()
        #expect(server.requests.map { $0.header("Range") } == ["bytes=300000-", "bytes=300000-"])
        #expect(try Data(contentsOf: file) == content)
    }

    @Test("restarts when the server's copy has changed", arguments: [true, false])
    func changed(serverKnowsIfRange: Bool) async throws {
        try await leavePart(of: 300_000)
        let other = patterned(500_000, seed: 2)
        server.route("GET", "/release") { request in
            guard !serverKnowsIfRange, request.header("Range") != nil else {
                return .resource(other, for: request, eTag: "\"v2\"")
            }
            return .data(Data(other.dropFirst(300_000)), status: 206)
                .header("Content-Range", "bytes 300000-499999/500000")
                .header("ETag", "\"v2\"")
        }
        try await download()
        #expect(try Data(contentsOf: file) == other)
        #expect(server.requests.count == (serverKnowsIfRange ? 1 : 2))
        #expect(folder.contents == ["release.bin"])
        expectRestart("the server has another version")
    }

    @Test("restarts when the rest is that of a file of another length, whatever its validator")
    func otherLength() async throws {
        try await leavePart(of: 300_000)
        let other = patterned(content.count + 1, seed: 2)
        serve(other)
        try await download()
        #expect(try Data(contentsOf: file) == other)
        #expect(server.requests.map { $0.header("Range") } == ["bytes=300000-", nil])
        expectRestart("the server has another version")
    }

    @Test("asks only for the last byte of a part that has every byte")
    func wholePart() async throws {
        try await leavePart(of: 300_000)
        try content.write(to: part)
        serve(content)
        try await download()
        #expect(try Data(contentsOf: file) == content)
        #expect(server.requests.map { $0.header("Range") } == ["bytes=\(content.count - 1)-"])
        #expect(folder.contents == ["release.bin"])
    }

    @Test("restarts on an unexpected range", arguments: ["bytes 5-9/10", "nonsense", nil])
    func otherRange(field: String?) async throws {
        try await leavePart(of: 300_000)
        server.route("GET", "/release") { [content] request in
            guard request.header("Range") != nil else {
                return .resource(content, for: request)
            }
            let response = MockResponse.data(Data("12345".utf8), status: 206)
            return field.map { response.header("Content-Range", $0) } ?? response
        }
        try await download()
        #expect(try Data(contentsOf: file) == content)
        expectRestart("the server sent another range")
    }

    @Test("restarts when the server sends a range without the file's length")
    func unknownLength() async throws {
        try await leavePart(of: 300_000)
        server.route("GET", "/release") { [content] request in
            guard request.header("Range") != nil else {
                return .resource(content, for: request, eTag: "\"v1\"")
            }
            // Less than what was asked for.
            return .data(Data(content[300_000..<400_000]), status: 206)
                .header("Content-Range", "bytes 300000-399999/*")
                .header("ETag", "\"v1\"")
        }
        try await download()
        #expect(try Data(contentsOf: file) == content)
        #expect(server.requests.map { $0.header("Range") } == ["bytes=300000-", nil])
        expectRestart("the server sent a range without the file's length")
    }

    @Test("restarts when the server ignores the range")
    func ignoredRange() async throws {
        try await leavePart(of: 300_000)
        server.route("GET", "/release") { [content] _ in .data(content).header("ETag", "\"v1\"") }
        try await download()
        #expect(server.requests.map { $0.header("Range") } == ["bytes=300000-"])
        #expect(try Data(contentsOf: file) == content)
        expectRestart("the server ignored Range")
    }

    @Test("restarts when the partial file is deleted before the rest arrives")
    func lostPart() async throws {
        try await leavePart(of: 300_000)
        server.route("GET", "/release") { [content, part] request in
            // There is none when the whole is asked for.
            try? FileManager.default.removeItem(at: part)
            return .resource(content, for: request, eTag: "\"v1\"")
        }
        try await download()
        #expect(server.requests.map { $0.header("Range") } == ["bytes=300000-", nil])
        #expect(try Data(contentsOf: file) == content)
        expectRestart("the partial file was removed or changed")
    }

    @Test("restarts when the server has no bytes after the partial file")
    func unsatisfiable() async throws {
        try await leavePart(of: 300_000)
        let shorter = content.prefix(1000)
        server.route("GET", "/release") { .resource(shorter, for: $0, eTag: "\"v1\"") }
        try await download()
        #expect(try Data(contentsOf: file) == shorter)
        #expect(server.requests.count == 2)
        expectRestart("the server has no such range")
    }

    @Test("restarts without a strong validator", arguments: [nil, "W/\"v1\""])
    func noValidator(eTag: String?) async throws {
        try await leavePart(of: 300_000, eTag: eTag)
        serve(content, eTag: eTag)
        try await download()
        #expect(server.requests.map { $0.header("Range") } == [nil])
        #expect(try Data(contentsOf: file) == content)
        expectRestart("the version of the partial file is unknown")
    }

    @Test("restarts when resuming is off")
    func notResuming() async throws {
        try await leavePart(of: 300_000)
        serve(content)
        try await download(resuming: false)
        #expect(server.requests.map { $0.header("Range") } == [nil])
        #expect(try Data(contentsOf: file) == content)
        expectRestart()
    }

    @Test("resumes in a retry of the same call", arguments: [true, false])
    func retried(resuming: Bool) async throws {
        server.route("GET", "/release") { [content] request in
            let response = MockResponse.resource(content, for: request, eTag: "\"v1\"")
            return response.cutting(afterBodyBytes: 400_000)
        }
        var policy = RetryPolicy(maximumRetries: 3)
        policy.backoff = .constant(.milliseconds(1))
        let endpoint = testEndpoint(baseURL: server.baseURL)
        endpoint.retryPolicy = policy
        let request = Release().download(to: file, resuming: resuming)
        let response = try await endpoint.response(for: request)
        #expect(response.attempts == 3)
        #expect(
            server.requests.map { $0.header("Range") } == [nil, "bytes=400000-", "bytes=800000-"]
        )
        #expect(try Data(contentsOf: file) == content)
    }

    @Test("fails on a range shorter than requested")
    func shorterRange() async throws {
        try await leavePart(of: 300_000)
        server.route("GET", "/release") { [content] _ in
            .data(Data(content[300_000..<400_000]), status: 206)
                .header("Content-Range", "bytes 300000-399999/\(content.count)")
                .header("ETag", "\"v1\"")
        }
        #expect(await failure()?.kind == .transport(.truncatedResponse))
        try await expectPart(of: 400_000)
        serve(content)
        try await download()
        #expect(try Data(contentsOf: file) == content)
    }

    @Test("keeps its partial file when cancelled")
    func cancelled() async throws {
        server.route("GET", "/release") { [content] in
            .resource(content, for: $0, eTag: "\"v1\"").stalling(afterBodyBytes: 200_000)
        }
        let operation = Release().download(to: file).execute(on: endpoint)
        for await transfer in operation.transfers where transfer.byteCount == 200_000 { break }
        operation.cancel()
        #expect(await operation.failure?.kind == .cancelled)
        try await expectPart(of: 200_000)
        serve(content)
        try await download()
        #expect(server.requests.last?.header("Range") == "bytes=200000-")
        #expect(try Data(contentsOf: file) == content)
    }

    @Test("fails with the typed error and leaves the file and its partial file intact")
    func refused() async throws {
        try await leavePart(of: 300_000)
        try Data("old".utf8).write(to: file)
        server.route("GET", "/release") { _ in .json(text: #"{"message":"no"}"#, status: 403) }
        let error = await failure()
        #expect(error?.kind == .server(403))
        #expect(error?.message == "no")
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        #expect(try Data(contentsOf: part) == content.prefix(300_000))
    }

    @Test("reports progress including resumed bytes, and a rate without them")
    func progress() async throws {
        try await leavePart(of: 500_000)
        serve(content)
        let journal = Journal()
        let operation = Release().download(to: file).execute(on: endpoint)
            .onProgress { journal.note("\($0)") }
            .onSuccess { _ in journal.end() }
            .onFail { _ in journal.end() }
        var last: Transfer?
        for await transfer in operation.transfers {
            #expect(transfer.direction == .download)
            #expect(transfer.totalByteCount == Int64(content.count))
            #expect(transfer.byteCount > max(500_000, last?.byteCount ?? 0))
            last = transfer
        }
        #expect(last?.byteCount == Int64(content.count))
        #expect(last?.estimatedTimeRemaining == .zero)
        #expect(last?.fractionCompleted == 1)
        let progress = await journal.entries.compactMap { Double($0) }
        #expect(progress == progress.sorted())
        #expect(try #require(progress.first) > 0.47)
        #expect(progress.last == 1)
    }

    @Test("creates an empty file for an empty body")
    func empty() async throws {
        serve(Data())
        try await download()
        #expect(try Data(contentsOf: file).isEmpty)
    }

    @Test("saves exactly the range that the request asks for")
    func ownRange() async throws {
        struct Middle: Request {
            typealias ResponseObjectType = Void
            let path = "release"
            let headers: HTTPHeaders = ["Range": "bytes=100-299"]
        }
        serve(content)
        _ = try await endpoint.value(for: Middle().download(to: file))
        #expect(try Data(contentsOf: file) == content[100..<300])

        serve(content, cutAt: 100)
        let error = await Middle().download(to: file).execute(on: endpoint).failure
        #expect(error?.kind == .transport(.truncatedResponse))
        serve(content)
        server.clearRequests()
        try await download()
        #expect(try Data(contentsOf: file) == content)
        // Nothing is known of the rest of a range.
        #expect(server.requests.map { $0.header("Range") } == [nil])
        expectRestart("the version of the partial file is unknown")
    }
}
