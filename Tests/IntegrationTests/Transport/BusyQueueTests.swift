#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking
import NetKit
import NetKitTesting
import Testing

/// All sessions of a process share one work queue on Linux, which a server or a file can keep busy.
///
/// The test has a process of its own, whose queue it can keep busy for as long as it likes.
@Suite("URLSession's work queue", .timeLimit(.minutes(15)))
struct BusyQueueTests {
    @Test("ends every call by its deadline, however busy the queue")
    func busy() async {
        await #expect(processExitsWith: .success) {
            // Whoever waits for the queue never returns.
            alarm(600)
            let server = try MockServer()
            server.route(nil, "/x") { _ in .text("ok") }
            let clock = ManualClock()
            let endpoint = Endpoint(
                baseURL: server.baseURL,
                transport: URLSessionTransport(),
                retryingCount: 0,
                clock: clock
            )
            let stream = BlockingStream()
            let transport = URLSessionTransport()
            let blocking = EncodedRequest(
                url: server.url("/x"),
                method: .post,
                body: BodySource(length: 1) { stream }
            )
            let first = transport.send(blocking, to: Nobody())
            await stream.isRead()
            let request = TextRequest(path: "x")
            let total = request.execute(on: endpoint).deadline(after: .seconds(8))
                .onSuccess { _ in }
            try await clock.waitForWaiters(2)
            clock.advance(by: .seconds(8))
            guard case .timeout(.total) = await total.failure else { exit(1) }
            let idle = request.execute(on: endpoint).timeout(after: .seconds(8)).onSuccess { _ in }
            try await clock.waitForWaiters(1)
            clock.advance(by: .seconds(8))
            guard case .timeout(.idle) = await idle.failure else { exit(2) }
            first.cancel()
            exit(0)
        }
    }
}

/// A body that never comes.
private final class BlockingStream: BodyReader, Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let reads = AsyncStream.makeStream(of: Void.self)

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        reads.continuation.yield()
        gate.wait()
        return 0
    }

    func close() {}

    /// Waits until somebody reads.
    func isRead() async {
        for await _ in reads.stream { return }
    }
}

private final class Nobody: TransportReceiver {
    func receive(_ event: TransportEvent) {}
}
#endif
