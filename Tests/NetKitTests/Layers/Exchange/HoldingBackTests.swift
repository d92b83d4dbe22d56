import Foundation
import NetKitSupport
import Testing

@testable import NetKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport that can hold a server back, and what streams make of it.
@Suite("Backpressure", .timeLimit(.minutes(15)))
struct HoldingBackTests {
    private struct Feed: Request {
        typealias ResponseObjectType = Void
        let path = "feed"
    }

    private func endpoint(_ transport: any Transport) throws -> Endpoint {
        let url = try #require(URL(string: "http://nowhere.invalid"))
        return Endpoint(baseURL: url, transport: transport, retryingCount: 0)
    }

    @Test("pauses for a slow reader, and resumes when it has caught up")
    func slowReader() async throws {
        let transport = EndlessTransport(pieces: 100)
        let stream = try await endpoint(transport).stream(Feed())
        // It gives a megabyte after the other until it is held back, before anybody has read one.
        #expect(await transport.isPausedOnceFull)
        var count = 0
        for try await piece in stream {
            count += piece.count
            transport.hasRead()
        }
        #expect(count == 100 << 20)
        // However fast the reader is from then on.
        #expect(transport.mostAhead <= 16)
    }

    @Test("doesn't count a slow reader as idle")
    func silence() async throws {
        let transport = EndlessTransport(pieces: 100)
        let clock = DeadlineClock(manual: ())
        let endpoint = Endpoint(
            baseURL: try #require(URL(string: "http://nowhere.invalid")),
            transport: transport,
            decoder: nil,
            responseQueue: nil,
            sessionConfiguration: .default,
            retryingCount: 0,
            headers: [:],
            clock: clock
        )
        let stream = try await endpoint.stream(Feed())
        #expect(await transport.isPausedOnceFull)
        for _ in 0..<10 { clock.advance(by: .seconds(3_600)) }
        var count = 0
        for try await piece in stream {
            count += piece.count
            transport.hasRead()
        }
        #expect(count == 100 << 20)
    }

    @Test("loses no bytes that arrive before the exchange is set")
    func early() async throws {
        let transport = EndlessTransport(pieces: 100, ahead: 40)
        let stream = try await endpoint(transport).stream(Feed())
        var count = 0
        for try await piece in stream {
            count += piece.count
            transport.hasRead()
        }
        #expect(count == 100 << 20)
    }

    @Test("ends when the stream is released")
    func leaving() async throws {
        let transport = EndlessTransport(pieces: .max)
        do {
            let stream = try await endpoint(transport).stream(Feed())
            #expect(await transport.isPausedOnceFull)
            withExtendedLifetime(stream) {}
        }
        #expect(await transport.isCancelled)
    }
}

/// Gives megabytes from a queue of its own, none while it is paused.
///
/// Without pieces ahead it gives no more than twelve before it was paused once: however late the one who asked
/// gets to its core, it finds something to hold back.
private final class EndlessTransport: Transport {
    private struct State {
        var given = 0
        var read = 0
        var mostAhead = 0
        var isPaused = false
        var wasPaused = false
        var isCancelled = false
        var isOver = false
    }

    private let pieces: Int
    private let state = Locked(State())
    private let ahead: Int
    private let queue = DispatchQueue(label: "pieces")

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - pieces: How many megabytes a response has.
    ///   - ahead: How many of them are given before ``send(_:to:)`` returns.
    init(pieces: Int, ahead: Int = 0) {
        self.pieces = pieces
        self.ahead = ahead
    }

    /// The most megabytes that were given and not read.
    var mostAhead: Int { state.withLock { $0.mostAhead } }

    /// Somebody has read a megabyte.
    func hasRead() { state.withLock { $0.read += 1 } }

    var isCancelled: Bool {
        get async { await eventually { state.withLock { $0.isCancelled } } }
    }

    /// Half of what may wait, which is 16 MiB, and one more.
    var isPausedOnceFull: Bool {
        get async { await eventually { state.withLock { $0.isPaused && $0.given >= 9 } } }
    }

    func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        let exchange = Exchange(transport: self, receiver: receiver)
        queue.sync {
            receiver.receive(.started)
            receiver.receive(.head(ResponseHead(status: 200)))
            for _ in 0..<ahead { giveOne(to: receiver) }
        }
        queue.async { self.giveNext(to: receiver) }
        return exchange
    }

    private func giveNext(to receiver: any TransportReceiver) {
        guard giveOne(to: receiver) else { return }
        queue.async { self.giveNext(to: receiver) }
    }

    /// Gives a megabyte or the end, or nothing while it is paused.
    ///
    /// - Returns: Whether more may follow.
    @discardableResult
    private func giveOne(to receiver: any TransportReceiver) -> Bool {
        let step = state.withLock { state -> TransportEvent? in
            guard !state.isPaused, !state.isOver else { return nil }
            guard ahead > 0 || state.wasPaused || state.given < 12 else { return nil }
            state.isOver = state.isCancelled || state.given == pieces
            guard !state.isOver else { return .finished(state.isCancelled ? .cancelled : nil) }
            state.given += 1
            state.mostAhead = max(state.mostAhead, state.given - state.read)
            return .body(Data(count: 1 << 20))
        }
        guard let step else { return false }
        receiver.receive(step)
        if case .body = step { return true }
        return false
    }

    private final class Exchange: TransportExchange {
        private let transport: EndlessTransport
        private let receiver: any TransportReceiver

        init(transport: EndlessTransport, receiver: any TransportReceiver) {
            self.transport = transport
            self.receiver = receiver
        }

        func pause() -> Bool {
            transport.state.withLock { ($0.isPaused, $0.wasPaused) = (true, true) }
            return true
        }

        func resume() {
            transport.state.withLock { $0.isPaused = false }
            transport.queue.async { self.transport.giveNext(to: self.receiver) }
        }

        func cancel() {
            transport.state.withLock { state in
                state.isCancelled = true
                state.isPaused = false
            }
        }
    }
}
