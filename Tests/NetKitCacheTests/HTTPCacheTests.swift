import Foundation
import NetKitTesting
import Testing

@testable import NetKit
@testable import NetKitCache
@testable import NetKitSupport

@Suite("HTTP cache")
struct HTTPCacheTests {
    @Test("describes itself by its use, without any content")
    func description() async throws {
        let cache = HTTPCache.memory(capacity: 1 << 20)
        #expect("\(cache)" == "HTTPCache(0 hits, 0 misses, 0 bytes)")
        await cache.store.keep(CacheSamples.head(), Data("secret".utf8))
        for outcome in [CacheOutcome.hit, .stale, .miss, .revalidated, .none] {
            cache.count(outcome)
        }
        cache.countStored()
        let statistics = cache.statistics
        #expect(
            statistics.hits == 2 && statistics.misses == 1 && statistics.revalidations == 1
                && statistics.stored == 1
        )
        #expect(statistics.bytes > 6)
        #expect("\(cache)" == "HTTPCache(2 hits, 1 misses, \(statistics.bytes) bytes)")
        var dumped = ""
        dump(cache, to: &dumped)
        #expect(!dumped.contains("secret") && !dumped.contains("example"))
    }

    @Test("knows which URLs were removed since a request was sent, for the latest 64 removals")
    func removals() throws {
        let cache = HTTPCache.memory(capacity: 1 << 20)
        let (one, two, three) = ("https://h/1", "https://h/2", "https://h/3")
        let urls = try [one, two].map { try #require(URL(string: $0)) }
        let start = cache.store.removals.count
        #expect(!cache.store.removals.contains(one, since: start))
        cache.remove(urls[0])
        #expect(cache.store.removals.contains(one, since: start))
        #expect(!cache.store.removals.contains(two, since: start))
        #expect(!cache.store.removals.contains(one, since: start + 1))
        for _ in 0..<63 { cache.remove(urls[1]) }
        #expect(!cache.store.removals.contains(three, since: start))
        #expect(cache.store.removals.contains(one, since: start))
        // The first is forgotten, so it may have been of any URL.
        cache.remove(urls[1])
        #expect(cache.store.removals.contains(three, since: start))
        #expect(!cache.store.removals.contains(three, since: start + 1))
        cache.removeAll()
        #expect(cache.store.removals.contains(three, since: start + 65))
        #expect(!cache.store.removals.contains(three, since: cache.store.removals.count))
    }

    @Test("reports once why nothing is stored")
    func problem() {
        #expect(HTTPCache.memory(capacity: 1 << 20).takeProblem() == nil)
        let broken = HTTPCache(BrokenStore())
        #expect(broken.takeProblem() == "the disk is full")
        #expect(broken.takeProblem() == nil)
    }

    @Test(
        "lets a stopped call end although the disk hangs",
        .timeLimit(.minutes(15)),
        arguments: HangingStore.Step.allCases
    )
    func hangingDisk(step: HangingStore.Step) async throws {
        let store = HangingStore(in: step)
        let stub = StubTransport()
        let method = step == .remove ? HTTPMethod.post : .get
        stub.on(method, "/x") { _ in .text("new").header(.cacheControl, "max-age=60") }
        let url = try #require(URL(string: "http://nowhere.invalid"))
        let endpoint = Endpoint(baseURL: url, transport: stub)
        endpoint.cache = HTTPCache(store)
        let request = DefaultRequest<String, ServerMessage>(path: "x", method: method)
        let call = Task { try await endpoint.value(for: request) }
        for await _ in store.asked.stream { break }
        endpoint.cancelAllRequests()
        // A response that waits to be stored, or for others to be removed, is complete.
        let value = try? await call.value
        #expect(value == ([.commit, .remove].contains(step) ? "new" : nil))
    }

    /// A store whose disk answers only when its task is canceled.
    final class HangingStore: CacheStore, CacheWriter, StoredFile {
        /// What the disk hangs in.
        enum Step: CaseIterable { case find, read, commit, remove }

        let asked = AsyncStream.makeStream(of: Void.self)
        private let answers = AsyncStream.makeStream(of: Void.self)
        private let step: Step
        let mayHang = true
        let usage = (bytes: 0, evictions: 0)
        let secret = [UInt8](repeating: 1, count: 16)
        let problem: String? = nil
        let removals = Removals()
        let isDiscarded = false
        let isFull = false

        init(in step: Step) {
            self.step = step
        }

        private func hang() async {
            asked.continuation.yield()
            for await _ in answers.stream {}
        }

        func mayHave(_ key: CacheKey) -> Bool { step != .commit }
        func find(
            _ key: CacheKey,
            where matches: @Sendable (StoredHead) -> Bool
        ) async -> StoredResponse? {
            guard step == .find else {
                let head = CacheSamples.head(key, headers: [.cacheControl: "max-age=2000000000"])
                return StoredResponse(id: "1", head: head, body: .file(self))
            }
            await hang()
            return nil
        }
        let count: Int64 = 3
        func read(at offset: Int64, count: Int) async throws -> Data {
            await hang()
            return Data()
        }
        func writer(for key: CacheKey, length: Int64?) -> (any CacheWriter)? { self }
        func update(_ response: StoredResponse, to head: StoredHead) async {}
        func remove(_ response: StoredResponse) async {}
        func remove(url: String) {}
        func remove(url: String, _ onEnd: @escaping @Sendable () -> Void) {
            asked.continuation.yield()
        }
        func removeAll() {}

        func write(_ data: Data) {}
        func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool { false }
        func commit(_ head: StoredHead, at date: Date) async -> CommitResult {
            await hang()
            return .refused
        }
        func discard() {}
    }

    /// A reader that needs a second for each piece.
    private final class SlowSink: BodySink {
        let clock: DeadlineClock

        init(_ clock: DeadlineClock) { self.clock = clock }

        func begin(_ head: ResponseHead) -> SinkContent? { SinkContent() }
        func write(_ data: Data, beyondLimit: Bool) { clock.advance(by: .seconds(1)) }
        func end() {}
        func abandon() {}
    }

    private struct Get: Request {
        typealias ResponseObjectType = Void
        let path = "a"
    }

    @Test("counts the bytes of a stored response from its beginning, so that their rate is right")
    func rate() async throws {
        let clock = DeadlineClock(manual: ())
        let counts = Locked<[TransferCount]>([])
        let plan = CallPlan(
            Get(),
            to: .memory,
            interceptors: [],
            cachePolicy: .standard,
            onTransfer: { count in
                guard let count = count() else { return }
                counts.withLock { $0.append(count) }
            },
            onAttempt: nil
        )
        let control = CallControl(clock: clock)
        var call = CallContext(control: control, reporter: nil, plan: plan)
        call.sink = { SlowSink(clock) }
        let body = StoredBody.data(Data(count: 600 << 10))
        let answer = StoredAnswer(
            stored: StoredResponse(id: "", head: CacheSamples.head(), body: body),
            outcome: .hit,
            maximumSize: 0
        )
        let url = try #require(URL(string: CacheSamples.key().url))
        let request = EncodedRequest(url: url, method: .get)
        let result = await answer.send(request, in: call)
        #expect(result.isSuccessful)
        #expect(counts.withLock { $0.map(\.since) } == [0, 0, 0])
    }

    /// A store that keeps nothing.
    private final class BrokenStore: CacheStore {
        let usage = (bytes: 0, evictions: 0)
        let secret = [UInt8](repeating: 1, count: 16)
        let problem: String? = "the disk is full"
        let removals = Removals()

        func mayHave(_ key: CacheKey) -> Bool { false }
        func find(
            _ key: CacheKey,
            where matches: @Sendable (StoredHead) -> Bool
        ) async -> StoredResponse? { nil }
        func writer(for key: CacheKey, length: Int64?) -> (any CacheWriter)? { nil }
        func update(_ response: StoredResponse, to head: StoredHead) async {}
        func remove(_ response: StoredResponse) async {}
        func remove(url: String) {}
        func removeAll() {}
    }
}
