import Foundation
import NetKit
import NetKitHAR
@testable import NetKitTesting
import NetKitSupport
import Testing

/// A transport that sends live bodies and can be held back; its responses are told by the test.
private final class HeldTransport: Transport, TransportExchange {
    struct State {
        var receiver: (any TransportReceiver)?
        var calls: [String] = []
    }

    let state = Locked(State())
    var sendsSequences: Bool { true }

    func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        state.withLock { $0.receiver = receiver }
        receiver.receive(.started)
        if let sequence = request.body?.sequence {
            Task { await self.echo(sequence) }
        } else {
            tell([.head(ResponseHead(status: 200)), .body(Data("one".utf8))])
        }
        return self
    }

    /// Answers with the pieces of a live body.
    private func echo(_ sequence: BodySequence) async {
        tell([.head(ResponseHead(status: 200))])
        do {
            try await sequence.forEach { tell([.body(Data("live ".utf8) + $0)]) }
            tell([.finished(nil)])
        } catch {
            tell([.finished(.failed(TransportError(.other, underlying: error)))])
        }
    }

    func tell(_ events: [TransportEvent]) {
        let receiver = state.withLock { $0.receiver }
        for event in events { receiver?.receive(event) }
    }

    func pause() -> Bool {
        state.withLock { $0.calls.append("pause") }
        return true
    }

    func resume() { state.withLock { $0.calls.append("resume") } }

    func cancel() {
        state.withLock { $0.calls.append("cancel") }
        tell([.finished(.cancelled)])
    }
}

/// What was told, in words.
private final class Listener: TransportReceiver {
    private let told = Locked<[String]>([])

    var events: [String] { told.withLock { $0 } }

    func receive(_ event: TransportEvent) {
        told.withLock { told in
            switch event {
            case .started, .sent: break
            case .head(let head): told.append("\(head.status.rawValue)")
            case .body(let data): told.append(String(decoding: data, as: UTF8.self))
            case .finished(nil): told.append("whole")
            case .finished(.cancelled): told.append("cancelled")
            case .finished(.failed(let error)): told.append("\(error)")
            }
        }
    }

    /// Waits until so much was told.
    func wait(for count: Int) async {
        await eventually { events.count >= count }
    }
}

@Suite("Wrapping transports", .timeLimit(.minutes(15)))
struct ForwardingTests {
    private static let wrappers: [@Sendable (any Transport) -> any Transport] = [
        { base in
            let faulty = FaultyTransport(wrapping: base)
            faulty.add(.drip(bytes: 100, every: .zero), probability: 1)
            return faulty
        },
        { FaultyTransport(wrapping: $0) },
        { RecordingTransport(wrapping: $0, to: HARRecorder()) },
        { ReplayTransport(HAR(), mode: .recordMissing($0)) },
    ]

    @Test("supports live bodies if the wrapped transport does", arguments: wrappers.indices)
    func liveBodies(index: Int) async throws {
        let wrap = Self.wrappers[index]
        let pieces = AsyncStream { continuation in
            continuation.yield(Data("a".utf8))
            continuation.finish()
        }
        let body = RequestBody.stream(pieces, isLive: true)
        let request = TextRequest(path: "a", method: .post, body: body)
        let live = try endpoint(over: wrap(HeldTransport()))
        #expect(try await live.value(for: request) == "live a")
        let stub = StubTransport()
        stub.on(.post, "/a") { .text("spooled \($0.text)") }
        let again = AsyncStream { continuation in
            continuation.yield(Data("b".utf8))
            continuation.finish()
        }
        let spooled = TextRequest(
            path: "a",
            method: .post,
            body: .stream(again, isLive: true)
        )
        #expect(try await endpoint(over: wrap(stub)).value(for: spooled) == "spooled b")
    }

    @Test("pauses and resumes with the wrapped transport", arguments: wrappers.indices)
    func pauses(index: Int) async throws {
        let base = HeldTransport()
        let listener = Listener()
        let url = try #require(URL(string: "https://nest.invalid/a"))
        let request = EncodedRequest(url: url, method: .get)
        let exchange = Self.wrappers[index](base).send(request, to: listener)
        await listener.wait(for: 2)
        await eventually { exchange.pause() }
        #expect(base.state.withLock { $0.calls } == ["pause"])
        exchange.resume()
        #expect(base.state.withLock { $0.calls } == ["pause", "resume"])
        base.tell([.body(Data("two".utf8)), .finished(nil)])
        await listener.wait(for: 4)
        #expect(listener.events == ["200", "one", "two", "whole"])
    }

    @Test("can be cancelled while paused", arguments: wrappers.indices)
    func cancellation(index: Int) async throws {
        let base = HeldTransport()
        let listener = Listener()
        let url = try #require(URL(string: "https://nest.invalid/a"))
        let request = EncodedRequest(url: url, method: .get)
        let exchange = Self.wrappers[index](base).send(request, to: listener)
        await listener.wait(for: 2)
        await eventually { exchange.pause() }
        exchange.cancel()
        await listener.wait(for: 3)
        #expect(listener.events == ["200", "one", "cancelled"])
        #expect(base.state.withLock { $0.calls } == ["pause", "cancel"])
    }

    @Test("buffers pieces while paused, then delivers them")
    func keeps() async throws {
        let base = HeldTransport()
        let clock = ManualClock()
        let faulty = FaultyTransport(wrapping: base, clock: clock)
        faulty.script(.drip(bytes: 1, every: .seconds(1)))
        let listener = Listener()
        let url = try #require(URL(string: "https://nest.invalid/a"))
        let exchange = faulty.send(EncodedRequest(url: url, method: .get), to: listener)
        let queue = try #require(exchange as? EventPlayer).queue
        try await clock.waitForWaiters(1)
        #expect(exchange.pause())
        base.tell([.finished(nil)])
        clock.advance(by: .seconds(1))
        // Behind what the end of the pause set going.
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(listener.events == ["200"])
        exchange.resume()
        for count in 2...4 {
            await listener.wait(for: count)
            if count < 4 {
                try await clock.waitForWaiters(1)
                clock.advance(by: .seconds(1))
            }
        }
        await listener.wait(for: 5)
        #expect(listener.events == ["200", "o", "n", "e", "whole"])
    }

    @Test("can't pause when the wrapped transport can't", arguments: wrappers.indices)
    func unable(index: Int) async throws {
        let stub = StubTransport(clock: ManualClock())
        stub.on(.get, "/a") { _ in
            .pieces([Data("one".utf8), Data("two".utf8)], every: .seconds(1))
        }
        let listener = Listener()
        let url = try #require(URL(string: "https://nest.invalid/a"))
        let exchange = Self.wrappers[index](stub)
            .send(EncodedRequest(url: url, method: .get), to: listener)
        await listener.wait(for: 2)
        #expect(!exchange.pause())
        exchange.cancel()
    }

    @Test("omits a live body from the recording, with a note")
    func recordedLiveBody() async throws {
        let recorder = HARRecorder(redaction: .none)
        let pieces = AsyncStream { continuation in
            continuation.yield(Data("a".utf8))
            continuation.finish()
        }
        let request = TextRequest(
            path: "a",
            method: .post,
            body: .stream(pieces, isLive: true)
        )
        let recording = RecordingTransport(wrapping: HeldTransport(), to: recorder)
        _ = try await endpoint(over: recording).value(for: request)
        let entry = try #require(recorder.har.entries.first)
        #expect(entry.request.bodySize == -1)
        #expect(entry.request.postData?.comment == "the body was left out: it was sent as it came")
        let replay = try endpoint(over: ReplayTransport(recorder.har))
        let again = TextRequest(path: "a", method: .post, body: .string("a"))
        #expect(try await replay.value(for: again) == "live a")
    }
}
