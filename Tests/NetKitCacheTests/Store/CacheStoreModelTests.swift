import Foundation
import NetKitTesting
import Testing

@testable import NetKit
@testable import NetKitCache

/// 10,000 random operations, each of which both a store and a plain list of responses do.
@Suite("Cache store against a model", .timeLimit(.minutes(15)))
struct CacheStoreModelTests {
    @Test("keeps the model's entries in memory", arguments: [1, 2] as [UInt64])
    func memory(seed: UInt64) async throws {
        let model = StoreModel(capacity: 20_000, maximumSize: 10_000, size: StoreModel.memorySize)
        var run = ModelRun(
            model,
            MemoryCacheStore(capacity: model.capacity),
            seed: seed
        )
        for _ in 0..<10_000 { try await run.step() }
        #expect(run.hits > 500 && run.store.usage.evictions > 100)
    }

    @Test("keeps the model's entries on disk, reopened or not", arguments: [3] as [UInt64])
    func disk(seed: UInt64) async throws {
        let folder = CacheTestFolder()
        let size: StoreModel.Size = { head, body in
            guard let metadata = EntryMetadata.bytes(of: head) else { return .max }
            return metadata.count + body.count + 48
        }
        let model = StoreModel(capacity: 8000, maximumSize: 4000, size: size)
        var run = ModelRun(model, try folder.store(capacity: model.capacity), seed: seed)
        run.reopen = { try folder.store(capacity: $0) }
        for _ in 0..<10_000 { try await run.step() }
        #expect(run.hits > 1000 && run.reopened > 20 && run.evictions > 100)
        run.store.removeAll()
        run.end()
        #expect(folder.contents.names == ["key", "lock"] && folder.contents.entries == 0)
    }
}

/// What a store has to keep: a list, the response that was used last at its end.
private struct StoreModel {
    typealias Size = (_ head: StoredHead, _ body: Data) -> Int

    struct Entry {
        var id: String?
        var head: StoredHead
        let body: Data
        let number: Int
    }

    let capacity: Int
    let maximumSize: Int
    let size: Size
    private(set) var entries: [Entry] = []
    private(set) var evictions = 0
    private var number = 0

    init(capacity: Int, maximumSize: Int, size: @escaping Size) {
        self.capacity = capacity
        self.maximumSize = maximumSize
        self.size = size
    }

    static func memorySize(_ head: StoredHead, _ body: Data) -> Int {
        let texts =
            head.selectors.map { $0.name + ($0.value ?? "") }
            + head.headers.map { $0.name.rawName + $0.value }
        let fields = texts.reduce(0) { $0 + $1.utf8.count + 64 }
        return 512 + head.key.url.utf8.count + head.key.partition.utf8.count + fields + body.count
    }

    var bytes: Int { entries.reduce(0) { $0 + size($1.head, $1.body) } }

    private mutating func makeRoom(for count: Int = 0) {
        while bytes > capacity - count {
            entries.removeFirst()
            evictions += 1
        }
    }

    /// Both files of equal selectors are there for a moment.
    mutating func commit(_ head: StoredHead, _ body: Data, twinsMakeRoomFirst: Bool) -> Bool {
        let size = size(head, body)
        guard size <= maximumSize else { return false }
        if !twinsMakeRoomFirst { makeRoom(for: size) }
        entries.removeAll { $0.head.key == head.key && $0.head.selectors == head.selectors }
        number += 1
        entries.append(Entry(head: head, body: body, number: number))
        makeRoom()
        return true
    }

    mutating func find(_ key: CacheKey, where matches: (StoredHead) -> Bool) -> Entry? {
        let found = entries.filter { $0.head.key == key && matches($0.head) }
            .max { $0.head.responseDate < $1.head.responseDate }
        guard let found, let index = entries.firstIndex(where: { $0.number == found.number }) else {
            return nil
        }
        entries.append(entries.remove(at: index))
        return found
    }

    mutating func name(_ number: Int, _ id: String) {
        for index in entries.indices where entries[index].number == number {
            entries[index].id = id
        }
    }

    mutating func update(_ id: String, to head: StoredHead) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        var entry = entries.remove(at: index)
        guard size(head, entry.body) <= maximumSize else { return }
        entries.removeAll { $0.head.key == head.key && $0.head.selectors == head.selectors }
        entry.head = head
        entries.append(entry)
        makeRoom()
    }

    mutating func remove(where isRemoved: (Entry) -> Bool) { entries.removeAll(where: isRemoved) }
}

/// A store and its model on their way through random operations.
private struct ModelRun {
    private struct Writing {
        let key: CacheKey
        let writer: any CacheWriter
        var body = Data()
        var isDiscarded = false
    }

    private(set) var store: any CacheStore
    var reopen: ((_ capacity: Int) throws -> DiskCacheStore)?
    private(set) var hits = 0
    private(set) var reopened = 0
    /// Those of stores that were closed.
    private var earlierEvictions = 0
    private var model: StoreModel
    private var random: SeededGenerator
    private var writings: [Writing] = []
    private var found: [StoredResponse] = []
    private var number = 0

    init(_ model: StoreModel, _ store: any CacheStore, seed: UInt64) {
        self.model = model
        self.store = store
        random = SeededGenerator(seed: seed)
    }

    var evictions: Int { earlierEvictions + store.usage.evictions }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func key() -> CacheKey {
        CacheSamples.key("\(pick(8))", ["", "p"][pick(2)])
    }

    private mutating func head(_ key: CacheKey) -> StoredHead {
        number += 1
        let value = String(
            repeating: "x",
            count: pick(8) == 0 ? pick(model.maximumSize * 3 / 4) : pick(model.maximumSize / 20)
        )
        return CacheSamples.head(
            key,
            accept: [nil, "a", "b"][pick(3)],
            number: number,
            headers: ["X": value]
        )
    }

    mutating func step() async throws {
        switch pick(200) {
        case 0..<70: try await find()
        case 70..<100: begin()
        case 100..<130: write()
        case 130..<160: await commit()
        case 160..<165: discard()
        case 165..<180: await update()
        case 180..<183: await remove()
        case 183: removeURL()
        case 184..<197: try await find()
        case 197: if pick(8) == 0 { removeAll() }
        default: try await open()
        }
        #expect(store.usage.bytes == model.bytes)
        #expect(evictions == model.evictions)
        #expect(store.usage.bytes <= model.capacity)
    }

    private mutating func find() async throws {
        let key = key()
        let accept = [nil, "a", "b", "any"][pick(4)]
        let matches: @Sendable (StoredHead) -> Bool = {
            accept == "any" || $0.selectors.first?.value == accept
        }
        let expected = model.find(key, where: matches)
        let response = await store.find(key, where: matches)
        #expect(store.mayHave(key) == model.entries.contains { $0.head.key == key })
        #expect(response?.head == expected?.head)
        guard let response, let expected else { return }
        hits += 1
        #expect(try await response.wholeBody() == expected.body)
        if let id = expected.id {
            #expect(response.id == id)
        } else {
            #expect(!model.entries.contains { $0.id == response.id })
            model.name(expected.number, response.id)
        }
        found.append(response)
        if found.count > 5 { found.removeFirst() }
    }

    private mutating func begin() {
        guard writings.count < 6 else { return }
        let key = key()
        guard let writer = store.writer(for: key, length: nil) else {
            Issue.record("no writer")
            return
        }
        writings.append(Writing(key: key, writer: writer))
    }

    private mutating func write() {
        guard !writings.isEmpty else { return }
        let index = pick(writings.count)
        let length = pick(10) == 0 ? pick(model.maximumSize * 5 / 4) : pick(model.maximumSize / 6)
        let piece = CacheSamples.body("\(number)", count: length)
        writings[index].writer.write(piece)
        if !writings[index].isDiscarded { writings[index].body += piece }
        if writings[index].body.count > model.maximumSize { writings[index].isDiscarded = true }
        #expect(writings[index].writer.isDiscarded == writings[index].isDiscarded)
    }

    private mutating func commit() async {
        guard !writings.isEmpty else { return }
        let writing = writings.remove(at: pick(writings.count))
        let head = head(writing.key)
        let isKept =
            !writing.isDiscarded
            && model.commit(head, writing.body, twinsMakeRoomFirst: reopen == nil)
        #expect(await writing.writer.commit(head) == isKept)
    }

    private mutating func discard() {
        guard !writings.isEmpty else { return }
        writings.remove(at: pick(writings.count)).writer.discard()
    }

    private mutating func update() async {
        guard !found.isEmpty else { return }
        let response = found[pick(found.count)]
        let head = head(response.head.key)
        model.update(response.id, to: head)
        await store.update(response, to: head)
    }

    private mutating func remove() async {
        guard !found.isEmpty else { return }
        let response = found[pick(found.count)]
        model.remove { $0.id == response.id }
        await store.remove(response)
    }

    private mutating func removeURL() {
        let url = key().url
        model.remove { $0.head.key.url == url }
        for index in writings.indices where writings[index].key.url == url {
            writings[index].isDiscarded = true
        }
        store.remove(url: url)
    }

    private mutating func removeAll() {
        model.remove { _ in true }
        for index in writings.indices { writings[index].isDiscarded = true }
        store.removeAll()
    }

    /// Closes the store, and opens its folder again.
    private mutating func open() async throws {
        var closing = store as? DiskCacheStore
        guard let reopen, closing != nil else { return }
        earlierEvictions += store.usage.evictions
        reopened += 1
        end()
        try await CacheTestFolder.close(&closing)
        store = try reopen(model.capacity)
    }

    /// Lets go of the store.
    mutating func end() {
        (store as? DiskCacheStore)?.settle()
        writings = []
        found = []
        store = MemoryCacheStore(capacity: 0)
    }
}
