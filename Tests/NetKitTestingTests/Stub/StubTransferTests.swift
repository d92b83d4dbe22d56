import Foundation
import NetKit
import NetKitTesting
import Testing

@Suite("StubTransport transfers and clock", .timeLimit(.minutes(15)))
struct StubTransferTests {
    @Test("delays by the manual clock, not by real time")
    func delays() async throws {
        let clock = ManualClock()
        let stub = StubTransport(clock: clock)
        stub.on(.get, "/slow") { _ in .text("at last").delayed(by: .seconds(3600)) }
        let endpoint = try endpoint(over: stub)
        async let text = endpoint.value(for: TextRequest(path: "slow"))
        try await clock.waitForWaiters(1)
        clock.advance(by: .seconds(3600))
        #expect(try await text == "at last")
    }

    @Test("shares a clock with its endpoint")
    func sharedClock() async throws {
        let clock = ManualClock()
        let stub = StubTransport(clock: clock)
        stub.on(.get, "/slow") { _ in .text("at last").delayed(by: .seconds(30)) }
        let url = try #require(URL(string: "https://nest.invalid"))
        let endpoint = Endpoint(baseURL: url, transport: stub, clock: clock)
        async let text = endpoint.value(for: TextRequest(path: "slow"))
        // The stub's delay, and the endpoint's idle deadline.
        try await clock.waitForWaiters(2)
        clock.advance(by: .seconds(30))
        #expect(try await text == "at last")
    }

    @Test("stays silent until the call is cancelled or times out", arguments: [true, false])
    func silence(isCancelled: Bool) async throws {
        let clock = ManualClock()
        let stub = StubTransport(clock: clock)
        stub.on(.get, "/silent") { _ in .silence }
        let url = try #require(URL(string: "https://nest.invalid"))
        let endpoint = Endpoint(baseURL: url, transport: stub, retryingCount: 0, clock: clock)
        let call = Task { await endpoint.outcome(of: TextRequest(path: "silent")) }
        try await stub.waitForRequests(1)
        if isCancelled {
            call.cancel()
        } else {
            try await clock.waitForWaiters(1)
            clock.advance(by: .seconds(60))
        }
        switch await call.value {
        case .failure(.cancelled): #expect(isCancelled)
        case .failure(.timeout(.idle)): #expect(!isCancelled)
        case let other: Issue.record("\(other)")
        }
    }

    @Test("sends server-sent events one at a time")
    func events() async throws {
        let clock = ManualClock()
        let stub = StubTransport(clock: clock)
        let sent = [
            ServerSentEvent(
                id: "1",
                event: "hatched",
                data: "two\nlines",
                retry: .milliseconds(1500)
            ),
            ServerSentEvent(id: "2", data: "x"),
        ]
        stub.on(.get, "/events") { _ in .events(sent, every: .seconds(10)) }
        let endpoint = try endpoint(over: stub)
        var received: [ServerSentEvent] = []
        let stream = try await endpoint.stream(TextRequest(path: "events"))
        for try await event in stream.serverSentEvents {
            received.append(event)
            if received.count == 1 {
                try await clock.waitForWaiters(1)
                clock.advance(by: .seconds(10))
            }
        }
        #expect(received == sent)
    }

    @Test("writes downloads to files, and resumes a partial file by range")
    func downloads() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let stub = StubTransport()
        stub.on(.get, "/release") { .resource(content, for: $0, eTag: "\"v1\"") }
        stub.on(.get, "/release", atMost: 1) { request in
            .resource(content, for: request, eTag: "\"v1\"").cutting(afterBodyBytes: 70_000)
        }
        let endpoint = try endpoint(over: stub)
        let file = folder.appending(path: "release")
        let download = BytesRequest(path: "release").download(to: file)
        #expect(await endpoint.transportError(of: download)?.kind == .truncatedResponse)
        #expect(try await endpoint.value(for: download) == file)
        #expect(try Data(contentsOf: file) == content)
        #expect(stub.requests.last?.headers[.range] == "bytes=70000-")
    }

    @Test("counts an upload's bytes without keeping them")
    func uploads() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(count: 1_000_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport()
        stub.keepsBodies = false
        stub.on(.put, "/file") { .text("\($0.bodyLength)") }
        let endpoint = try endpoint(over: stub)
        let request = TextRequest(path: "file", method: .put, body: .file(file))
        let operation = endpoint.execute(request)
        var counts: [Int64] = []
        for await transfer in operation.transfers where transfer.direction == .upload {
            counts.append(transfer.byteCount)
        }
        #expect(try await operation.value == "1000000")
        #expect(counts.last == 1_000_000)
        #expect(counts == counts.sorted())
        #expect(stub.requests.first?.body.isEmpty == true)
    }

    @Test("sends a body slowly, and none where HTTP allows none")
    func bodies() async throws {
        let stub = StubTransport()
        stub.on(.get, "/drip") { _ in .text("12345").dripping(bytes: 2) }
        stub.on(.get, "/none") { _ in .text("unseen").status(204) }
        let endpoint = try endpoint(over: stub)
        var pieces: [String] = []
        for try await piece in try await endpoint.stream(TextRequest(path: "drip")) {
            pieces.append(String(decoding: piece, as: UTF8.self))
        }
        #expect(pieces == ["12", "34", "5"])
        let head = try await endpoint.response(for: SilentRequest(path: "drip", method: .head))
        #expect(head.http.body.isEmpty)
        #expect(head.http.headers[.contentLength] == "5")
        #expect(try await endpoint.response(for: SilentRequest(path: "none")).http.body.isEmpty)
    }

    @Test(
        "fails a body that is cut off, or whose end isn't announced",
        arguments: [
            (.text("abc"), 0, false), (.text("abc"), 2, false), (.text("abc"), 3, true),
            (.text("abc"), 100, true), (.text("abc").header(.contentLength, "9"), 100, false),
            (.pieces([Data("abc".utf8)]), 100, false),
            (.pieces([Data("abc".utf8)]).header(.contentLength, "3"), 100, true),
        ] as [(StubReply, Int, Bool)]
    )
    func cuts(reply: StubReply, bytes: Int, isWhole: Bool) async throws {
        let stub = StubTransport()
        stub.on(.get, "/a") { _ in reply.cutting(afterBodyBytes: bytes) }
        let endpoint = try endpoint(over: stub)
        let request = TextRequest(path: "a")
        if isWhole {
            #expect(try await endpoint.value(for: request) == "abc")
        } else {
            #expect(await endpoint.transportError(of: request)?.kind == .truncatedResponse)
        }
    }

    @Test("fails the same requests of a route for one seed", arguments: [1, 2, 3] as [UInt64])
    func chances(seed: UInt64) async throws {
        func failures(_ seed: UInt64) async throws -> [Int] {
            let stub = StubTransport(seed: seed)
            stub.on(.get, "/a") { .text("\($0.occurrence)").failing(probability: 0.3) }
            let endpoint = try endpoint(over: stub)
            var failed: [Int] = []
            for number in 1...100 {
                let error = await endpoint.transportError(of: TextRequest(path: "a"))
                if error?.kind == .connectionLost { failed.append(number) }
            }
            return failed
        }
        let first = try await failures(seed)
        #expect(try await failures(seed) == first)
        #expect(try await failures(seed + 10) != first)
        #expect((10...55).contains(first.count))
    }
}
