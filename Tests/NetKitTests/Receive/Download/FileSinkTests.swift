import Dispatch
import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("File sink", .timeLimit(.minutes(15)))
struct FileSinkTests {
    private let folder: SampleFolder
    private let file: URL
    private let head = ResponseHead(status: .ok, headers: [.eTag: "\"v1\""])

    init() throws {
        folder = try SampleFolder()
        file = folder.url.appending(path: "file")
    }

    private struct Get: Request {
        typealias ResponseObjectType = Void
        let path = "x"
    }

    private func sink(_ part: some WritablePart) -> FileSink {
        let file = PartialFile(destination: file, open: { _, _ in part })
        return FileSink(file, nil, on: FileQueue.of(self.file.path))
    }

    @Test("doesn't block bytes or deadlines on a hanging write")
    func hangingWrite() async throws {
        let part = HangingPart()
        defer { part.goOn() }
        let clock = DeadlineClock(manual: ())
        let bytes = Data(count: 1 << 20)
        let request = EncodedRequest(
            url: try #require(URL(string: "http://nowhere.invalid/x")),
            method: .get
        )
        let exchanges = [sink(part), nil]
            .map { (sink: FileSink?) in
                let plan = CallPlan(inMemory: Get())
                let control = CallControl(clock: clock)
                var call = CallContext(control: control, reporter: nil, plan: plan)
                if let sink { call.sink = { sink } }
                let limits = ExchangeLimits(
                    maximumResponseSize: 1 << 20,
                    idleTimeout: .seconds(8)
                )
                return Exchange(of: request, in: call, limits: limits)
            }
        // Neither response ends.
        let transport = ScriptedTransport([.started, .head(head), .body(bytes)])
        let ended = Locked(0)
        let outcomes = exchanges.map { exchange in
            Task {
                defer { ended.withLock { $0 += 1 } }
                return await exchange.run(over: transport)
            }
        }
        await part.isHanging()
        await eventually { clock.count >= 2 && transport.sent.count == 2 }
        // Bytes that come while the clock moves begin the silence anew.
        while ended.withLock({ $0 }) < 2, !Task.isCancelled {
            clock.advance(by: .seconds(8))
            await Task.yield()
        }
        for outcome in outcomes {
            guard case .failure(.timeout(.idle)) = await outcome.value else {
                Issue.record("no timeout")
                continue
            }
        }
        #expect(transport.cancelled == 2)
    }

    @Test("applies backpressure while too much data waits for the disk")
    func holdingBack() async throws {
        let part = HangingPart()
        let sink = sink(part)
        _ = try sink.begin(head)
        #expect(!sink.isFull)
        #expect(!sink.awaitRoom {})
        for _ in 0..<5 { try sink.write(Data(count: 1 << 20)) }
        #expect(sink.isFull)
        await withCheckedContinuation { continuation in
            #expect(sink.awaitRoom { continuation.resume() })
            part.goOn()
        }
        #expect(!sink.isFull)
        try await sink.settle()
        #expect(part.written == 5 << 20)
    }

    @Test(
        "blocks a transport without backpressure until the disk or the call is done"
    )
    func waiting() async throws {
        let part = HangingPart()
        defer { part.goOn() }
        let sink = sink(part)
        _ = try sink.begin(head)
        let count = Locked(0)
        let writer = Task.detached {
            for _ in 0..<16 {
                try sink.write(Data(count: 1 << 20))
                count.withLock { $0 += 1 }
            }
        }
        await eventually { sink.isFull }
        await part.isHanging()
        await eventually { count.withLock { $0 } >= 8 }
        // The next one is beyond 8 MiB.
        #expect(count.withLock { $0 } == 8)
        sink.abandon()
        try await writer.value
        #expect(count.withLock { $0 } == 16)
    }

    @Test(
        "reports a write failure with the next bytes and at the end, and keeps the partial file"
    )
    func fullDisk() async throws {
        let part = HangingPart(failure: DownloadFailure(.diskFull, file.path))
        part.goOn()
        let sink = sink(part)
        _ = try sink.begin(head)
        try sink.write(Data(count: 1 << 20))
        await #expect(throws: DownloadFailure(.diskFull, file.path)) { try await sink.settle() }
        #expect(throws: DownloadFailure(.diskFull, file.path)) { try sink.write(Data([1])) }
        #expect(throws: DownloadFailure(.diskFull, file.path)) { try sink.end() }
        sink.abandon()
        await #expect(throws: DownloadFailure(.diskFull, file.path)) {
            try await sink.settle()
            try await sink.complete(head, checking: nil)
        }
    }

    @Test("keeps the bytes of a truncated response, and closes the partial file")
    func abandoned() async throws {
        let queue = FileQueue.of(file.path)
        let sink = FileSink(PartialFile(destination: file), nil, on: queue)
        _ = try sink.begin(head)
        try sink.write(Data("bytes".utf8))
        sink.abandon()
        try await sink.settle()
        let partial = PartialFile(destination: file)
        #expect(try Data(contentsOf: partial.part) == Data("bytes".utf8))
        #expect(partial.resumable()?.note?.version == StrongValidator(rawValue: "\"v1\""))
        // It would be in use otherwise.
        try partial.discard()
        #expect(partial.resumable() == nil)
    }

    @Test("starts over when the server's copy has changed, however slow the disk is")
    func slowDisk() async throws {
        let other = ResponseHead(
            status: 206,
            headers: [.eTag: "\"v2\"", .contentRange: "bytes 3-5/6"]
        )
        let cut = TransportEvent.finished(.failed(TransportError(.connectionLost)))
        let transport = ScriptedTransport(
            [.started, .head(head), .body(Data("old".utf8)), cut],
            [.started, .head(other)],
            .response(200, "newest", headers: [.eTag: "\"v2\""])
        )
        let url = try #require(URL(string: "http://nowhere.invalid"))
        let endpoint = Endpoint(baseURL: url, transport: transport, retryingCount: 0)
        let file = file
        endpoint.observation.registerEvents { event in
            guard case .startedOver = event.kind else { return }
            // A call without a response waits a second for the disk.
            let disk = DispatchSemaphore(value: 0)
            FileQueue.of(file.path).add { disk.wait() }
            DispatchQueue.global().asyncAfter(deadline: .now() + 2) { disk.signal() }
        }
        let download = Get().download(to: file, resuming: true)
        await #expect(throws: (any Error).self) { try await endpoint.value(for: download) }
        _ = try await endpoint.value(for: download)
        #expect(try Data(contentsOf: file) == Data("newest".utf8))
    }

    @Test("leaves no partial file open after a stop during a report")
    func abandonedEarly() async throws {
        let open = Locked(0)
        let file = PartialFile(destination: file, open: { _, _ in CountedPart(open) })
        let note = PartialFile.Note(StrongValidator(rawValue: "\"v0\""))
        let sink = Locked<FileSink?>(nil)
        let made = FileSink(
            file,
            DownloadPlan.Rest(offset: 3, note: note),
            on: FileQueue.of(self.file.path),
            onRestart: { _ in sink.withLock { $0 }?.abandon() }
        )
        sink.withLock { $0 = made }
        _ = try made.begin(head)
        try await made.settle()
        #expect(open.withLock { $0 } == 0)
        sink.withLock { $0 = nil }
    }
}

/// A part that counts itself as long as it is open.
private final class CountedPart: WritablePart {
    private let open: Locked<Int>

    init(_ open: Locked<Int>) {
        self.open = open
        open.withLock { $0 += 1 }
    }

    deinit { open.withLock { $0 -= 1 } }

    var length: Int64 { 0 }
    func truncate(to offset: Int64) {}
    func write(_ data: Data) {}
}

/// A part whose first write hangs until it may go on.
private final class HangingPart: WritablePart {
    private let disk = DispatchSemaphore(value: 0)
    private let begun = AsyncStream.makeStream(of: Void.self)
    private let count = Locked(0)
    private let failure: DownloadFailure?

    init(failure: DownloadFailure? = nil) {
        self.failure = failure
    }

    var written: Int { count.withLock { $0 } }
    var length: Int64 { 0 }
    func truncate(to offset: Int64) {}

    func write(_ data: Data) throws(DownloadFailure) {
        begun.continuation.yield()
        disk.wait()
        disk.signal()
        if let failure { throw failure }
        count.withLock { $0 += data.count }
    }

    /// Waits until a write hangs.
    func isHanging() async {
        for await _ in begun.stream { return }
    }

    func goOn() { disk.signal() }
}
