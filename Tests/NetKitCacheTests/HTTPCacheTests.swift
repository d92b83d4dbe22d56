import Foundation
import Testing

@testable import NetKit
@testable import NetKitCache

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
