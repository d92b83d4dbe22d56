import Foundation
import Testing

@testable import NetKit
@testable import NetKitCache

@Suite("Memory cache store")
struct MemoryCacheStoreTests {
    private let key = CacheSamples.key()

    @Test("shares one body among all readers, uncopied when it is a single piece")
    func sharing() async throws {
        let store = MemoryCacheStore(capacity: 1 << 20)
        let body = CacheSamples.body("a", count: 10_000)
        #expect(await store.keep(CacheSamples.head(), body))
        let address = body.withUnsafeBytes(\.baseAddress)
        for _ in 0..<2 {
            guard case .data(let found) = await store.find(key)?.body else {
                Issue.record("no body")
                return
            }
            #expect(found.withUnsafeBytes(\.baseAddress) == address)
        }
        // The end of something longer would keep all of it.
        let part = body.dropFirst(9000)
        #expect(await store.keep(CacheSamples.head(), part))
        let found = try #require(try await store.body(key))
        #expect(found == part && found.startIndex == 0)
    }

    @Test(
        "keeps no response above half of the capacity",
        arguments: [nil, 5000, 100_000] as [Int64?]
    )
    func tooLong(length: Int64?) throws {
        let store = MemoryCacheStore(capacity: 100_000)
        #expect(store.writer(for: key, length: 50_001) == nil)
        guard let writer = store.writer(for: key, length: length) else {
            #expect(length == 100_000)
            return
        }
        writer.write(Data(count: 30_000))
        #expect(!writer.isDiscarded)
        writer.write(Data(count: 30_000))
        #expect(writer.isDiscarded && !writer.isFull)
    }

    @Test("keeps no response above 1 MiB and a tenth of the capacity")
    func largeCapacity() {
        #expect(MemoryCacheStore(capacity: 4 << 20).maximumSize == 1 << 20)
        #expect(MemoryCacheStore(capacity: 32 << 20).maximumSize == (32 << 20) / 10)
        #expect(MemoryCacheStore(capacity: -1).maximumSize == 0)
    }

    @Test("counts header fields")
    func fields() async throws {
        let store = MemoryCacheStore(capacity: 100_000)
        let head = CacheSamples.head(headers: ["X": String(repeating: "x", count: 50_000)])
        let writer = try #require(store.writer(for: key, length: nil))
        #expect(await !writer.commit(head))
        #expect(writer.isDiscarded)
        #expect(store.usage.bytes == 0)
        #expect(await store.keep(CacheSamples.head(), Data()))
        let small = store.usage.bytes
        #expect(await store.keep(CacheSamples.head(headers: ["X": "12345"]), Data(count: 7)))
        let field = "X".utf8.count + 5 - "Content-Typetext/plain".utf8.count
        #expect(store.usage.bytes == small + field + 7)
    }

    @Test("keeps nothing without capacity", arguments: [0, -1, .min, 1])
    func noCapacity(capacity: Int) {
        let store = MemoryCacheStore(capacity: capacity)
        #expect(store.writer(for: key, length: nil) == nil)
        #expect(!store.mayHave(key))
    }

    @Test("evicts a response that an update makes too long")
    func longUpdate() async throws {
        let store = MemoryCacheStore(capacity: 100_000)
        #expect(await store.keep(CacheSamples.head(), Data(count: 49_000)))
        let response = try #require(await store.find(key))
        let headers: HTTPHeaders = ["X": String(repeating: "x", count: 2000)]
        await store.update(response, to: CacheSamples.head(headers: headers))
        #expect(!store.mayHave(key) && store.usage.bytes == 0)
    }

    @Test("doesn't retain the engine's header objects")
    func deferredFields() async throws {
        let store = MemoryCacheStore(capacity: 100_000)
        var fields: JoinedFields? = JoinedFields(find: { _ in "1" }, list: { [("X", "1")] })
        weak let engine = fields
        var head: StoredHead? = CacheSamples.head(headers: HTTPHeaders(try #require(fields)))
        #expect(await store.keep(try #require(head), Data()))
        (head, fields) = (nil, nil)
        #expect(engine == nil)
        #expect(await store.find(key)?.head.headers == ["X": "1"])
    }
}
