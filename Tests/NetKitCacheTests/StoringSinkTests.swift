import Foundation
import NetKitSupport
import Testing

@testable import NetKit
@testable import NetKitCache

@Suite("Storing a streamed response", .timeLimit(.minutes(15)))
struct StoringSinkTests {
    /// What a writer was told, and whether it has room.
    private final class Writer: CacheWriter {
        struct State {
            var written = Data()
            var isFull = false
            var isDiscarded = false
            var handlers: [@Sendable () -> Void] = []
        }

        let state = Locked(State())
        /// Called when a writer starts to wait for room.
        let onWait: @Sendable (Writer) -> Void

        init(onWait: @escaping @Sendable (Writer) -> Void = { _ in }) {
            self.onWait = onWait
        }

        var isFull: Bool { state.withLock { $0.isFull } }
        var isDiscarded: Bool { state.withLock { $0.isDiscarded } }
        func write(_ data: Data) { state.withLock { $0.written += data } }
        func commit(_ head: StoredHead, at date: Date) async -> CommitResult { .stored }
        func discard() { state.withLock { $0.isDiscarded = true } }

        func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool {
            guard isFull else { return false }
            state.withLock { $0.handlers.append(handler) }
            onWait(self)
            return true
        }

        func makeRoom() {
            let handlers = state.withLock { state in
                state.isFull = false
                defer { state.handlers = [] }
                return state.handlers
            }
            for handler in handlers { handler() }
        }
    }

    /// A store with one writer.
    private final class Store: CacheStore {
        let writer: Writer
        let usage = (bytes: 0, evictions: 0)
        let secret = [UInt8](repeating: 1, count: 16)
        let problem: String? = nil
        let removals = Removals()

        init(_ writer: Writer) {
            self.writer = writer
        }

        func mayHave(_ key: CacheKey) -> Bool { false }
        func find(
            _ key: CacheKey,
            where matches: @Sendable (StoredHead) -> Bool
        ) async -> StoredResponse? { nil }
        func writer(for key: CacheKey, length: Int64?) -> (any CacheWriter)? { writer }
        func update(_ response: StoredResponse, to head: StoredHead) async {}
        func remove(_ response: StoredResponse) async {}
        func remove(url: String) {}
        func removeAll() {}
    }

    /// The sink of a download: it takes a response, or leaves it to memory.
    private final class Reader: BodySink {
        struct State {
            var takes = true
            var isFull = false
            var received = Data()
            var handlers: [@Sendable () -> Void] = []
            var isAbandoned = false
        }

        let state: Locked<State>

        init(takes: Bool = true) {
            state = Locked(State(takes: takes))
        }

        func begin(_ head: ResponseHead) -> SinkContent? {
            state.withLock { $0.takes } ? SinkContent() : nil
        }
        func write(_ data: Data, beyondLimit: Bool) { state.withLock { $0.received += data } }
        func end() {}
        func abandon() { state.withLock { $0.isAbandoned = true } }
        var isFull: Bool { state.withLock { $0.isFull } }

        func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool {
            state.withLock { $0.handlers.append(handler) }
            return true
        }

        func makeRoom() {
            let handlers = state.withLock { state in
                state.isFull = false
                return state.handlers
            }
            for handler in handlers { handler() }
        }
    }

    private let clock = DeadlineClock(manual: ())
    private let head = ResponseHead(status: 200, headers: [.cacheControl: "max-age=60"])

    private func storing(_ writer: Writer) -> Storing {
        Storing(in: HTTPCache(Store(writer)), as: CacheSamples.key(), nil, clock)
    }

    @Test("passes the body to its reader and to the cache")
    func both() throws {
        let (writer, reader) = (Writer(), Reader())
        let storing = storing(writer)
        let sink = StoringSink(reader, storing)
        #expect(try sink.begin(head) == SinkContent())
        try sink.write(Data("ab".utf8))
        try sink.write(Data("c".utf8), beyondLimit: true)
        try sink.end()
        #expect(reader.state.withLock { $0.received } == Data("abc".utf8))
        #expect(writer.state.withLock { $0.written } == Data("abc".utf8))
        #expect(storing.hasBody(ofLength: 3) && !storing.hasBody(ofLength: 2))
    }

    @Test("stores nothing of a response that its reader leaves to memory")
    func inMemory() throws {
        let (writer, reader) = (Writer(), Reader(takes: false))
        let sink = StoringSink(reader, storing(writer))
        #expect(try sink.begin(head) == nil)
        try sink.write(Data("ab".utf8))
        #expect(reader.state.withLock { $0.received } == Data("ab".utf8))
        #expect(writer.state.withLock { $0.written }.isEmpty)
        writer.state.withLock { $0.isFull = true }
        #expect(!sink.isFull)
    }

    @Test("stores nothing of a response that may not be stored")
    func forbidden() throws {
        let writer = Writer()
        let sink = StoringSink(Reader(), storing(writer))
        _ = try sink.begin(ResponseHead(status: 200, headers: [.cacheControl: "no-store"]))
        try sink.write(Data("ab".utf8))
        #expect(writer.state.withLock { $0.written }.isEmpty)
        #expect(!sink.awaitRoom {})
        // As of a sink that takes no bodies.
        let storing = storing(writer)
        #expect(!storing.isFull && !storing.awaitRoom { Issue.record("called") })
    }

    @Test("waits for the disk when the transport can't")
    func withoutBackpressure() throws {
        let writer = Writer { writer in
            // Whoever waits is woken once the disk has caught up.
            #expect(writer.state.withLock { $0.written }.isEmpty)
            writer.makeRoom()
        }
        let sink = StoringSink(Reader(), storing(writer))
        _ = try sink.begin(head)
        writer.state.withLock { $0.isFull = true }
        try sink.write(Data("ab".utf8))
        #expect(!writer.isFull)
        #expect(writer.state.withLock { $0.written } == Data("ab".utf8))
    }

    @Test("doesn't wait beyond the limit, where the transport waits")
    func beyondLimit() throws {
        let writer = Writer { _ in Issue.record("waited") }
        let sink = StoringSink(Reader(), storing(writer))
        _ = try sink.begin(head)
        writer.state.withLock { $0.isFull = true }
        try sink.write(Data("ab".utf8), beyondLimit: true)
        #expect(writer.state.withLock { $0.written } == Data("ab".utf8))
    }

    @Test("is full when its reader or the cache is, and waits for both")
    func fullness() throws {
        let (writer, reader) = (Writer(), Reader())
        let sink = StoringSink(reader, storing(writer))
        _ = try sink.begin(head)
        #expect(!sink.isFull && !sink.awaitRoom {})
        writer.state.withLock { $0.isFull = true }
        #expect(sink.isFull)
        let isAwake = Locked(false)
        #expect(sink.awaitRoom { isAwake.withLock { $0 = true } })
        #expect(!isAwake.withLock { $0 })
        writer.makeRoom()
        #expect(isAwake.withLock { $0 })
        reader.state.withLock { $0.isFull = true }
        writer.state.withLock { $0.isFull = true }
        isAwake.withLock { $0 = false }
        #expect(sink.isFull && sink.awaitRoom { isAwake.withLock { $0 = true } })
        reader.makeRoom()
        #expect(!isAwake.withLock { $0 })
        writer.makeRoom()
        #expect(isAwake.withLock { $0 })
    }

    @Test("abandons its reader's response")
    func abandoning() {
        let reader = Reader()
        StoringSink(reader, storing(Writer())).abandon()
        #expect(reader.state.withLock { $0.isAbandoned })
    }
}
