import Foundation
import NetKitTesting
import Testing

@testable import NetKit
@testable import NetKitCache

/// What every store does.
@Suite("Cache store")
struct CacheStoreTests {
    enum Kind: CaseIterable, Sendable { case memory, disk }

    private let folder = CacheTestFolder()
    private let key = CacheSamples.key()

    private func store(_ kind: Kind, capacity: Int = 1 << 20) throws -> any CacheStore {
        switch kind {
        case .memory: MemoryCacheStore(capacity: capacity)
        case .disk: try folder.store(capacity: capacity)
        }
    }

    @Test("finds an entry written in any number of pieces", arguments: Kind.allCases, [1, 2, 37])
    func pieces(kind: Kind, pieces: Int) async throws {
        let store = try store(kind)
        #expect(!store.mayHave(key) && store.problem == nil)
        for length in [0, 1, 1000, 90_000] {
            let body = CacheSamples.body("a", count: length)
            #expect(await store.keep(CacheSamples.full(key), body, pieces: pieces))
            let response = try #require(await store.find(key))
            #expect(try await response.wholeBody() == body)
            #expect(response.head == CacheSamples.full(key) && response.body.count == Int64(length))
            #expect(store.mayHave(key))
            #expect(
                !store.mayHave(CacheSamples.key("a", "p")) && !store.mayHave(CacheSamples.key("b"))
            )
            #expect(await store.find(CacheSamples.key("a", "p")) == nil)
        }
    }

    @Test("shows nothing before a commit or after a discard", arguments: Kind.allCases)
    func invisible(kind: Kind) async throws {
        let store = try store(kind)
        var writer = store.writer(for: key, length: 4)
        writer?.write(Data("body".utf8))
        #expect(await store.find(key) == nil)
        writer?.discard()
        #expect(writer?.isDiscarded == true)
        writer?.write(Data("more".utf8))
        #expect(await writer?.commit(CacheSamples.head()) == false)
        writer = store.writer(for: key, length: nil)
        writer?.write(Data("lost".utf8))
        writer = nil
        #expect(await store.find(key) == nil)
        // A head for another key than the body's.
        writer = store.writer(for: CacheSamples.key("b"), length: nil)
        #expect(await writer?.commit(CacheSamples.head()) == false)
        #expect(store.usage.bytes == 0)
    }

    @Test("commits only once", arguments: Kind.allCases)
    func once(kind: Kind) async throws {
        let store = try store(kind)
        let writer = try #require(store.writer(for: key, length: nil))
        writer.write(Data("1".utf8))
        #expect(await writer.commit(CacheSamples.head()))
        #expect(!writer.isDiscarded && !writer.isFull && !writer.awaitRoom {})
        writer.write(Data("2".utf8))
        #expect(await !writer.commit(CacheSamples.head(accept: "b")))
        writer.discard()
        #expect(try await store.body(key) == Data("1".utf8))
    }

    @Test("keeps variants side by side, and replaces equal ones", arguments: Kind.allCases)
    func variants(kind: Kind) async throws {
        let store = try store(kind)
        for (number, accept) in ["a", "b", "a", nil, "b"].enumerated() {
            let head = CacheSamples.head(accept: accept, number: number)
            #expect(await store.keep(head, Data("\(number)".utf8)))
        }
        for (accept, number) in [("a", 2), (nil, 3), ("b", 4)] as [(String?, Int)] {
            let response = await store.find(key) { $0.selectors.first?.value == accept }
            #expect(try await response?.wholeBody() == Data("\(number)".utf8))
        }
        // The latest of all, by the date of its response.
        #expect(try await store.body(key) == Data("4".utf8))
        #expect(await store.keep(CacheSamples.head(accept: "c", number: 1), Data("c".utf8)))
        #expect(try await store.body(key) == Data("4".utf8))
        #expect(await store.find(key) { _ in false } == nil)
    }

    @Test("keeps a response that was requested after the next one", arguments: Kind.allCases)
    func order(kind: Kind) async throws {
        let store = try store(kind)
        let rows: [(requested: Int, now: Int, isReplaced: Bool)] = [
            (4, 9, false), (4, 5, false), (5, 9, true), (6, 9, true),
            // The clock was set back since.
            (4, 4, true),
        ]
        for (index, row) in rows.enumerated() {
            let key = CacheSamples.key("\(index)")
            let now = CacheSamples.date.addingTimeInterval(Double(row.now))
            #expect(await store.keep(CacheSamples.head(key, number: 5), Data("old".utf8)))
            let writer = try #require(store.writer(for: key, length: nil))
            writer.write(Data("new".utf8))
            let head = CacheSamples.head(key, number: row.requested)
            #expect(await writer.commit(head, at: now) == (row.isReplaced ? .stored : .outdated))
            #expect(writer.isDiscarded != row.isReplaced)
            #expect(try await store.body(key) == Data((row.isReplaced ? "new" : "old").utf8))
            let variant = CacheSamples.head(key, accept: "a", number: 0)
            #expect(await store.writer(for: key, length: nil)?.commit(variant, at: now) == .stored)
        }
        (store as? DiskCacheStore)?.settle()
        #expect(folder.contents.entries == (kind == .disk ? 2 * rows.count : 0))
    }

    @Test("keeps the newest 16 variants", arguments: Kind.allCases)
    func manyVariants(kind: Kind) async throws {
        let store = try store(kind)
        for number in 0..<20 {
            let head = CacheSamples.head(accept: "\(number)", number: number)
            #expect(await store.keep(head, Data("\(number)".utf8)))
        }
        for number in 0..<20 {
            let response = await store.find(key) { $0.selectors.first?.value == "\(number)" }
            #expect((response != nil) == (number >= 4))
        }
        #expect(store.usage.evictions == 4)
    }

    @Test("updates the head of an existing entry", arguments: Kind.allCases)
    func updates(kind: Kind) async throws {
        let store = try store(kind)
        let body = CacheSamples.body("a", count: 5000)
        #expect(await store.keep(CacheSamples.head(), body))
        let before = store.usage.bytes
        for length in [3, 2000, 40, 0] {
            let response = try #require(await store.find(key))
            let headers: HTTPHeaders = ["X": String(repeating: "x", count: length)]
            let head = CacheSamples.head(number: length, headers: headers)
            await store.update(response, to: head)
            let updated = try #require(await store.find(key))
            #expect(updated.id == response.id && updated.head == head)
            #expect(try await updated.wholeBody() == body)
            let difference = 1 + length - "Content-Typetext/plain".utf8.count
            #expect(store.usage.bytes == before + difference)
        }
        // Another one has taken its place.
        let old = try #require(await store.find(key))
        #expect(await store.keep(CacheSamples.head(number: 9000), Data("new".utf8)))
        await store.update(old, to: CacheSamples.head(number: 9001))
        await store.remove(old)
        let response = try #require(await store.find(key))
        #expect(response.id != old.id && response.head == CacheSamples.head(number: 9000))
        // Of another key.
        await store.update(response, to: CacheSamples.head(CacheSamples.key("b")))
        #expect(!store.mayHave(CacheSamples.key("b")))
    }

    @Test("merges variants that an update makes equal", arguments: Kind.allCases)
    func equalByUpdate(kind: Kind) async throws {
        let store = try store(kind)
        #expect(await store.keep(CacheSamples.head(accept: "a"), Data("a".utf8)))
        #expect(await store.keep(CacheSamples.head(accept: "b", number: 1), Data("b".utf8)))
        let response = try #require(await store.find(key) { $0.selectors.first?.value == "a" })
        await store.update(response, to: CacheSamples.head(accept: "b", number: -1))
        #expect(try await store.body(key) == Data("a".utf8))
        await store.remove(response)
        #expect(!store.mayHave(key) && store.usage.bytes == 0)
    }

    @Test("removes a response, a URL for all users, or everything", arguments: Kind.allCases)
    func removal(kind: Kind) async throws {
        let store = try store(kind)
        let keys = ["", "p", "q"].map { CacheSamples.key("a", $0) } + [CacheSamples.key("b")]
        for key in keys { #expect(await store.keep(CacheSamples.head(key), Data("x".utf8))) }
        await store.remove(try #require(await store.find(keys[1])))
        #expect(keys.map(store.mayHave) == [true, false, true, true])
        let writers = [keys[0], keys[1], keys[3]].compactMap { store.writer(for: $0, length: nil) }
        store.remove(url: keys[0].url)
        #expect(keys.map(store.mayHave) == [false, false, false, true])
        #expect(writers.map(\.isDiscarded) == [true, true, false])
        #expect(await !writers[1].commit(CacheSamples.head(keys[1])))
        store.removeAll()
        #expect(writers[2].isDiscarded)
        #expect(await !writers[2].commit(CacheSamples.head(keys[3])))
        #expect(keys.map(store.mayHave) == [false, false, false, false])
        #expect(store.usage == (0, 0))
        // Nothing of that stays.
        #expect(await store.keep(CacheSamples.head(), Data()))
    }

    @Test("evicts the least recently used entry", arguments: Kind.allCases)
    func leastRecentlyUsed(kind: Kind) async throws {
        let store = try store(kind, capacity: 100_000)
        let keys = (0..<40).map { CacheSamples.key("\($0)") }
        for key in keys.prefix(10) {
            #expect(await store.keep(CacheSamples.head(key), Data(count: 8000)))
        }
        _ = await store.find(keys[0])
        _ = await store.find(keys[1]) { _ in false }
        for key in keys[10..<15] {
            #expect(await store.keep(CacheSamples.head(key), Data(count: 8000)))
            #expect(store.usage.bytes <= 100_000)
        }
        let evictions = store.usage.evictions
        #expect(evictions >= 3)
        // The first was used after the others came; looking at the second was no use.
        let expected = [0] + (1 + evictions..<15)
        #expect((0..<15).filter { store.mayHave(keys[$0]) } == expected)
    }

    @Test("stays consistent with any number of tasks", arguments: Kind.allCases)
    func tasks(kind: Kind) async throws {
        let store = try store(kind, capacity: 200_000)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(task))
                    for step in 0..<150 { await Self.step("\(task)-\(step)", in: store, &random) }
                }
            }
        }
        #expect(store.usage.bytes <= 200_000)
        store.removeAll()
        #expect(store.usage.bytes == 0)
    }

    private static func step(
        _ tag: String,
        in store: any CacheStore,
        _ random: inout SeededGenerator
    ) async {
        let key = CacheSamples.key("\(Int.random(in: 0..<6, using: &random))")
        let length = Int.random(in: 0..<15_000, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4:
            let head = CacheSamples.head(key, headers: ["ETag": tag])
            let body = CacheSamples.body(key.url + tag, count: length)
            await store.keep(head, body, pieces: 3)
        case 4: store.remove(url: key.url)
        case 5:
            guard let response = await store.find(key) else { return }
            var head = response.head
            head.headers.set("X-Update", to: tag)
            await store.update(response, to: head)
        default:
            guard let response = await store.find(key) else { return }
            let tag = response.head.headers[.eTag] ?? ""
            let body = try? await response.wholeBody()
            #expect(body == CacheSamples.body(key.url + tag, count: body?.count ?? 0))
        }
    }
}
