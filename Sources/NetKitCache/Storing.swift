import Dispatch
import Foundation
import NetKit
import NetKitSupport

/// Stores the response to one request, whose earlier responses, such as a challenge, are dropped.
///
/// It is the sink of responses in memory, and therefore takes no bodies.
final class Storing: BodySink {
    private struct State {
        var writer: (any CacheWriter)?
        var responseDate: Date?
        /// The number of body bytes passed to the writer.
        var written: Int64 = 0
        /// The number of bodies that were passed to a writer as a whole.
        var bodies = 0
    }

    /// The number of removals when the request was sent.
    let start: Int
    private let cache: HTTPCache
    private let key: CacheKey
    private let flight: CacheFlights.Flight?
    private let clock: DeadlineClock
    private let state = Locked(State())

    /// Creates the storing of one request's response.
    ///
    /// - Parameters:
    ///   - cache: The cache.
    ///   - key: The key of the response.
    ///   - flight: The flight of the waiting calls.
    ///   - clock: The endpoint's clock.
    init(
        in cache: HTTPCache,
        as key: CacheKey,
        _ flight: CacheFlights.Flight?,
        _ clock: DeadlineClock
    ) {
        self.cache = cache
        start = cache.store.removals.count
        self.key = key
        self.flight = flight
        self.clock = clock
    }

    /// Decides whether to store a response.
    ///
    /// - Parameter head: The head of the response.
    /// - Returns: The writer for the body, or nil if the response isn't stored.
    func decide(on head: ResponseHead) -> (any CacheWriter)? {
        var writer: (any CacheWriter)?
        if cache.stores(key), StorageRules.allow(head) {
            writer = cache.store.writer(for: key, length: head.bodyLength)
        }
        let old = state.withLock { state in
            (state.responseDate, state.written) = (clock.date, 0)
            defer { state.writer = writer }
            return state.writer
        }
        old?.discard()
        // A 304 confirms the stored response, and a 401 may be recovered.
        if writer == nil, let flight, head.status != 304, head.status != 401 {
            cache.flights.end(flight, .settled)
        }
        return writer
    }

    /// Returns the writer and arrival date of the last response, if it is stored.
    func take() -> (writer: any CacheWriter, date: Date)? {
        state.withLock { state in
            defer { state.writer = nil }
            guard let writer = state.writer, let date = state.responseDate else { return nil }
            return (writer, date)
        }
    }

    /// Whether the bytes passed to the writer are the body of a response of this length.
    ///
    /// Of several bodies, which an interceptor can receive, it can't be known which one belongs to its response.
    func hasBody(ofLength length: Int64) -> Bool {
        state.withLock { $0.written == length && $0.bodies <= 1 }
    }

    /// Writes bytes of a response, unless another response has followed it.
    func write(_ data: Data, to writer: any CacheWriter) {
        writer.write(data)
        state.withLock { state in
            if state.writer === writer { state.written += Int64(data.count) }
        }
    }

    /// Counts a body that was passed to a writer as a whole.
    func endBody() {
        state.withLock { $0.bodies += 1 }
    }

    /// Discards the current response.
    func discard() {
        take()?.writer.discard()
    }

    func begin(_ head: ResponseHead) -> SinkContent? {
        _ = decide(on: head)
        return nil
    }

    func write(_ data: Data, beyondLimit: Bool) {}
    func end() {}
    func abandon() {}
}

/// Stores the response of a download or a stream while a reader receives it.
final class StoringSink: BodySink {
    private let reader: any BodySink
    private let storing: Storing
    /// The writer, or nil for a response that isn't stored or first goes to memory.
    private let writer = Locked<(any CacheWriter)?>(nil)

    /// Creates the sink of one response.
    ///
    /// - Parameters:
    ///   - reader: The destination of the body.
    ///   - storing: Decides whether to store the response, and receives its body.
    init(_ reader: any BodySink, _ storing: Storing) {
        self.reader = reader
        self.storing = storing
    }

    func begin(_ head: ResponseHead) throws -> SinkContent? {
        let writer = storing.decide(on: head)
        let content = try reader.begin(head)
        self.writer.withLock { $0 = content == nil ? nil : writer }
        return content
    }

    func write(_ data: Data, beyondLimit: Bool) throws {
        try reader.write(data, beyondLimit: beyondLimit)
        guard let writer = writer.withLock({ $0 }) else { return }
        // A transport without backpressure waits for the disk here.
        if !beyondLimit, writer.isFull {
            let room = DispatchSemaphore(value: 0)
            if writer.awaitRoom({ room.signal() }) { room.wait() }
        }
        storing.write(data, to: writer)
    }

    func end() throws {
        try reader.end()
        if writer.withLock({ $0 }) != nil { storing.endBody() }
    }

    func abandon() {
        reader.abandon()
    }

    var isFull: Bool {
        reader.isFull || writer.withLock { $0 }?.isFull == true
    }

    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool {
        let writer = writer.withLock { $0 }
        // Both have room then: a transport must not be blocked by the disk once the reader goes on.
        let next: @Sendable () -> Void = {
            if writer?.awaitRoom(handler) != true { handler() }
        }
        if reader.isFull, reader.awaitRoom(next) { return true }
        return writer?.awaitRoom(handler) ?? false
    }
}

/// Discards a body, so that it isn't collected in memory.
final class DiscardingSink: BodySink {
    func begin(_ head: ResponseHead) -> SinkContent? { SinkContent() }
    func write(_ data: Data, beyondLimit: Bool) {}
    func end() {}
    func abandon() {}
}
