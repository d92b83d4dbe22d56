import Foundation

/// What becomes of the responses to one request on their way into the store: a challenge and its successor, say.
///
/// It is the sink of responses that go to memory, and so takes no bodies.
final class Storing: BodySink {
    private struct State {
        var writer: (any CacheWriter)?
        var responseDate: Date?
        /// How many bytes of the body the writer got.
        var written: Int64 = 0
    }

    /// The point in the order of removals at which the request was sent.
    let start: Int
    private let cache: HTTPCache
    private let key: CacheKey
    private let flight: CacheFlights.Flight?
    private let clock: DeadlineClock
    private let state = Locked(State())

    /// Creates what stores the response to one request.
    ///
    /// - Parameters:
    ///   - cache: The cache.
    ///   - key: What the response is looked up by.
    ///   - flight: The calls that wait for it.
    ///   - clock: The endpoint's.
    init(
        in cache: HTTPCache,
        as key: CacheKey,
        _ flight: CacheFlights.Flight?,
        _ clock: DeadlineClock
    ) {
        self.cache = cache
        start = cache.removals
        self.key = key
        self.flight = flight
        self.clock = clock
    }

    /// Decides on a response by its head.
    ///
    /// - Returns: What takes the body; nil for one that is not stored.
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
        // A 304 confirms what is stored, and a 401 may be made good.
        if writer == nil, let flight, head.status != 304, head.status != 401 {
            cache.flights.end(flight, .settled)
        }
        return writer
    }

    /// What takes the body of the last response, and when that arrived; nil for one that is not stored.
    func take() -> (writer: any CacheWriter, date: Date)? {
        state.withLock { state in
            defer { state.writer = nil }
            guard let writer = state.writer, let date = state.responseDate else { return nil }
            return (writer, date)
        }
    }

    /// How many bytes of the body the writer got.
    var written: Int64 { state.withLock { $0.written } }

    /// Writes bytes of a response, unless another one has followed it.
    func write(_ data: Data, to writer: any CacheWriter) {
        writer.write(data)
        state.withLock { state in
            if state.writer === writer { state.written += Int64(data.count) }
        }
    }

    /// Gives up what has come so far.
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
