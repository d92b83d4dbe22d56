import Foundation
import NetKit
import NetKitHAR
import NetKitTesting
import Testing

@Suite("Truncated recordings", .timeLimit(.minutes(15)))
struct CutRecordingTests {
    private let clock = ManualClock()
    private let stub: StubTransport
    private let recorder = HARRecorder(redaction: Self.redaction)
    /// Records the texts.
    private static let redaction = Redaction(wholeBodies: ["*/*"])

    init() {
        stub = StubTransport(clock: clock)
        let pieces = ["01234", "56789", "abcde"].map { Data($0.utf8) }
        stub.on(.get, "/announced") { _ in
            .text("0123456789abcde").dripping(bytes: 5, every: .seconds(1))
        }
        stub.on(.get, "/open") { _ in .pieces(pieces, every: .seconds(1)) }
    }

    private func entry() async throws -> HAR.Entry {
        await eventually { !recorder.har.entries.isEmpty }
        return try #require(HAR(data: recorder.har.data()).entries.first)
    }

    private func replay() throws -> Endpoint {
        try endpoint(over: ReplayTransport(HAR(data: recorder.har.data())))
    }

    /// Reads the first bytes of a stream, and leaves.
    private func leave(_ request: TextRequest) async throws {
        let live = try endpoint(over: RecordingTransport(wrapping: stub, to: recorder))
        for try await piece in try await live.stream(request) {
            #expect(piece == Data("01234".utf8))
            break
        }
    }

    @Test("fails on replay when the length was announced")
    func announced() async throws {
        let request = TextRequest(path: "announced")
        try await leave(request)
        let content = try await entry().response.content
        #expect(content.isTruncated)
        #expect(content.text == "01234")
        #expect(content.comment == "the exchange stopped after 5 of 15 bytes")
        let error = try #require(await replay().transportError(of: request))
        #expect((error.underlying as? ReplayFailure)?.reason == .bodyNotRecorded)
    }

    @Test("replays the recorded bytes, then fails, without an announced length")
    func open() async throws {
        let request = TextRequest(path: "open")
        try await leave(request)
        let response = try await entry().response
        #expect(response.status == 200)
        #expect(response.content.text == "01234")
        #expect(response.content.comment == "the exchange stopped after 5 bytes")
        var received = Data()
        do {
            for try await piece in try await replay().stream(request) { received += piece }
            Issue.record("it ended as if it were whole")
        } catch {
            #expect("\(error)".contains("incomplete response"))
        }
        #expect(received == Data("01234".utf8))
        #expect(try await replay().transportError(of: request)?.kind == .truncatedResponse)
    }

    @Test(
        "have no error for an event stream that its reader leaves",
        arguments: ["text/event-stream", "Text/Event-Stream;charset=UTF-8"]
    )
    func events(type: String) async throws {
        stub.on(.get, "/events") { _ in
            .pieces([Data("01234".utf8), Data("56789".utf8)], every: .seconds(1))
                .header(.contentType, type)
        }
        try await leave(TextRequest(path: "events"))
        let response = try await entry().response
        #expect(response.error == nil)
        #expect(response.content.comment == "incomplete: the exchange stopped here")
    }

    @Test(
        "replays what arrived before a failure, then fails, and may then be resumed",
        // The second is cut within a character.
        arguments: [("0123456789", 5), ("aaaé56789", 4)]
    )
    func failure(text: String, cut: Int) async throws {
        let content = Data(text.utf8)
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("NetKit-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        stub.on(.get, "/file") { request in
            request.headers[.range] == "bytes=\(cut)-"
                ? .data(content.dropFirst(cut), contentType: "text/plain").status(206)
                    .header("Content-Range", "bytes \(cut)-9/10").header("ETag", "\"1\"")
                : .data(content, contentType: "text/plain").header("ETag", "\"1\"")
                    .cutting(afterBodyBytes: cut, with: .connectionLost)
        }
        let live = try endpoint(over: RecordingTransport(wrapping: stub, to: recorder))
        func load(_ endpoint: Endpoint) async throws {
            endpoint.retryPolicy = RetryPolicy(maximumRetries: 1, backoff: .none)
            try? FileManager.default.removeItem(at: file)
            let request = TextRequest(path: "file")
            _ = try await request.download(to: file).execute(on: endpoint).value
            #expect(try Data(contentsOf: file) == content)
        }
        try await load(live)
        try await load(replay())
        let first = try #require(recorder.har.entries.first).response
        #expect(first.status == 200)
        #expect(first.content.data == content.prefix(cut))
        #expect(first.content.comment == "the exchange failed after \(cut) bytes")
    }

    @Test("is a failure on replay when a response exceeded the size limit")
    func tooLarge() async throws {
        let live = try endpoint(over: RecordingTransport(wrapping: stub, to: recorder))
        live.maximumResponseSize = 7
        async let outcome = live.transportError(of: TextRequest(path: "announced"))
        try await clock.waitForWaiters(1)
        clock.advance(by: .seconds(1))
        #expect(await outcome?.kind == .responseTooLarge)
        let content = try await entry().response.content
        #expect(content.isTruncated)
        #expect(content.size == 10)
        let error = try #require(await replay().transportError(of: TextRequest(path: "announced")))
        #expect((error.underlying as? ReplayFailure)?.reason == .bodyNotRecorded)
    }

    @Test("doesn't end within a character")
    func characters() async throws {
        stub.on(.get, "/ü") { _ in
            .pieces([Data([0x61, 0xC3]), Data([0xBC])], every: .seconds(1))
        }
        let live = try endpoint(over: RecordingTransport(wrapping: stub, to: recorder))
        for try await _ in try await live.stream(TextRequest(path: "ü")) { break }
        let content = try await entry().response.content
        #expect(content.text == "a")
        #expect(content.encoding == nil)
        #expect(content.size == 2)
    }

    @Test("keeps little more of a body than its limit")
    func bound() async throws {
        // If it were looked at, the whole would be no text.
        let body = Data(repeating: 0x61, count: 100_000) + [0xFF]
        stub.on(.get, "/large") { _ in .data(body, contentType: "text/plain") }
        let recorder = HARRecorder(redaction: Self.redaction, bodyLimit: 10)
        let live = try endpoint(over: RecordingTransport(wrapping: stub, to: recorder))
        #expect(try await live.value(for: BytesRequest(path: "large")).count == 100_001)
        let content = try #require(recorder.har.entries.first).response.content
        #expect(content.text == "aaaaaaaaaa")
        #expect(content.encoding == nil)
        #expect(content.size == 100_001)
        #expect(content.isTruncated)
        #expect(content.comment == "the first 10 of 100001 bytes; the others were left out")
        #expect(recorder.har.entries.first?.response.bodySize == 100_001)
    }

    @Test("redacts a secret cut off by the limit")
    func secretAtTheLimit() async throws {
        stub.on(.get, "/secret") { _ in .json(text: #"{"a":1,"token":"s3cret"}"#) }
        let recorder = HARRecorder(bodyLimit: 20)
        let live = try endpoint(over: RecordingTransport(wrapping: stub, to: recorder))
        _ = try await live.value(for: TextRequest(path: "secret"))
        let text = try #require(recorder.har.entries.first?.response.content.text)
        #expect(text.hasPrefix(#"{"a":1,"token":"#))
        #expect(!text.contains("s3"))
    }
}
