import Foundation
import Testing

@testable import NetKit
@testable import NetKitCache

@Suite("Damaged cache folder", .timeLimit(.minutes(15)))
struct DiskCacheDamageTests {
    private let folder = CacheTestFolder()
    private let key = CacheSamples.key()
    private let body = Data("The body of a small entry.".utf8)

    private func fileWithEntry(_ store: DiskCacheStore, _ body: Data) async throws -> URL {
        #expect(await store.keep(CacheSamples.head(), body))
        return try #require(folder.entries.first)
    }

    @Test("removes an entry with a changed, missing or extra byte")
    func bytes() async throws {
        let store = try folder.store()
        let whole = try Data(contentsOf: try await fileWithEntry(store, body))
        var damaged = whole.indices.map { index in
            var bytes = whole
            bytes[index] ^= 0x20
            return bytes
        }
        damaged += whole.indices.map { whole.prefix($0) }
        damaged += [whole + [0], whole + whole, whole.dropFirst() + [0], Data(count: 5000)]
        for bytes in damaged {
            store.removeAll()
            let file = try await fileWithEntry(store, body)
            // In the place of the file, or in the file itself.
            try bytes.write(to: file, options: bytes.count.isMultiple(of: 2) ? .atomic : [])
            #expect(await store.find(key) == nil)
            #expect(!store.mayHave(key) && store.usage.bytes == 0)
            #expect(folder.contents.entries == 0)
        }
        _ = try await fileWithEntry(store, body)
        #expect(try await store.body(key) == body)
    }

    @Test(
        "removes a long body with a changed byte",
        arguments: [0, 8, 150_000, 399_999]
    )
    func longBodies(index: Int) async throws {
        let store = try folder.store()
        let file = try await fileWithEntry(store, CacheSamples.body("a", count: 400_000))
        var bytes = try Data(contentsOf: file)
        bytes[index] ^= 1
        try bytes.write(to: file)
        let response = await store.find(key)
        #expect(response == nil && folder.contents.entries == 0)
    }

    @Test("fails to read the rest of a truncated long body")
    func cutMeanwhile() async throws {
        let store = try folder.store()
        let file = try await fileWithEntry(store, CacheSamples.body("a", count: 400_000))
        let response = try #require(await store.find(key))
        #expect(truncate(file.path, 100_000) == 0)
        await #expect(throws: POSIXError(.EIO)) { try await response.wholeBody() }
    }

    @Test("never returns an entry stored under another key's name")
    func otherKeys() async throws {
        let store = try folder.store()
        let file = try await fileWithEntry(store, body)
        let other = CacheSamples.key("b", "p")
        #expect(await store.keep(CacheSamples.head(other), Data("b".utf8)))
        let otherFile = try #require(folder.entries.first { $0 != file })
        try FileManager.default.removeItem(at: otherFile)
        try FileManager.default.copyItem(at: file, to: otherFile)
        #expect(await store.find(other) == nil)
        #expect(try await store.body(key) == body)
    }

    @Test("never blocks on or follows a special file with an entry's name")
    func hostile() async throws {
        var store: DiskCacheStore? = try folder.store()
        let file = try await fileWithEntry(try #require(store), body)
        try await CacheTestFolder.close(&store)
        let name = try #require(EntryName(file.lastPathComponent, .entry))
        let target = folder.url.appendingPathComponent("target")
        try FileManager.default.moveItem(at: file, to: target)
        func place(_ kind: EntryName.Kind) -> String {
            folder.url.appendingPathComponent(EntryName(name.key).file(kind)).path
        }
        #expect(symlink(target.path, place(.entry)) == 0)
        #expect(symlink(target.path, place(.part)) == 0)
        #expect(mkfifo(place(.entry), 0o600) == 0)
        #expect(mkdir(place(.entry), 0o700) == 0)
        try Data("part".utf8).write(to: URL(fileURLWithPath: place(.part)))
        // Longer than any disk, without a byte in it.
        try Data().write(to: URL(fileURLWithPath: place(.entry)))
        let sparse = place(.entry)
        try Data().write(to: URL(fileURLWithPath: sparse))
        #expect(truncate(sparse, 1 << 40) == 0)
        for other in ["a.entry", "README", "\(name.file(.entry)).bak", ".part"] {
            try Data("mine".utf8).write(to: folder.url.appendingPathComponent(other))
        }
        let opened = try folder.store()
        let others = [
            ".part", "README", "\(name.file(.entry)).bak", "a.entry", "key", "lock", "target",
        ]
        #expect(folder.contents.names == others.sorted())
        // The folder with the name of an entry, and the empty file.
        #expect(folder.contents.entries == 2)
        #expect(await opened.find(key) == nil)
        #expect(folder.contents.entries == 1 && opened.usage.bytes == 0)
        // The same while the store is open.
        for make in [{ symlink(target.path, $0) }, { mkfifo($0, 0o600) }, { mkdir($0, 0o700) }]
            as [(String) -> Int32]
        {
            opened.removeAll()
            #expect(await opened.keep(CacheSamples.head(), body))
            let id = try #require(await opened.find(key)).id
            let path = folder.url.appendingPathComponent(id).path
            opened.settle()
            #expect(unlink(path) == 0 && make(path) == 0)
            #expect(await opened.find(key) == nil)
            #expect(!opened.mayHave(key))
        }
        #expect(try Data(contentsOf: target).count > body.count)
        #expect(await opened.keep(CacheSamples.head(), body))
        #expect(try await opened.body(key) == body)
    }

    @Test("starts over when its secret is missing or has the wrong length")
    func secret() async throws {
        let file = folder.url.appendingPathComponent("key")
        for damage in [Data(), Data(count: 31), Data(count: 33)] {
            var store: DiskCacheStore? = try folder.store()
            _ = try await fileWithEntry(try #require(store), body)
            store?.settle()
            try await CacheTestFolder.close(&store)
            try damage.write(to: file)
            let again = try folder.store()
            #expect(!again.mayHave(key) && folder.contents.entries == 0)
            #expect(try Data(contentsOf: file).count == 32)
            #expect(folder.contents.names == ["key", "lock"])
        }
    }

    @Test("loses a deleted file, and keeps the rest")
    func deletedFiles() async throws {
        let store = try folder.store()
        let other = CacheSamples.key("b")
        let file = try await fileWithEntry(store, body)
        #expect(await store.keep(CacheSamples.head(other), body))
        try FileManager.default.removeItem(at: file)
        #expect(store.mayHave(key))
        #expect(await store.find(key) == nil)
        #expect(!store.mayHave(key))
        #expect(try await store.body(other) == body)
    }

    @Test("stores nothing after the folder is deleted, and fails no call")
    func deletedFolder() async throws {
        let store = try folder.store()
        _ = try await fileWithEntry(store, body)
        let response = try #require(await store.find(key))
        let writer = try #require(store.writer(for: key, length: nil))
        try FileManager.default.removeItem(at: folder.url)
        writer.write(Data(count: 600_000))
        store.settle()
        #expect(writer.isDiscarded)
        #expect(await !store.keep(CacheSamples.head(), body))
        await store.update(response, to: CacheSamples.head(number: 1))
        #expect(await store.find(key) == nil)
        store.remove(url: key.url)
        store.removeAll()
        #expect(store.usage.bytes == 0)
        // Another one in its place is another one.
        let other = try folder.store()
        #expect(await other.keep(CacheSamples.head(), body))
        #expect(await store.find(key) == nil)
    }

    // In a process of its own, which has to be another user: root may write everywhere.
    @Test("serves entries from a read-only folder, and stores nothing")
    func readOnly() async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = folder.url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let nobody: uid_t = 65_534
            if geteuid() == 0 {
                try #require(chown(path, nobody, nobody) == 0 && setuid(nobody) == 0)
            }
            let key = CacheSamples.key()
            let url = URL(fileURLWithPath: path)
            var store: DiskCacheStore? = try DiskCacheStore(folder: url, capacity: 1 << 20)
            #expect(await store?.keep(CacheSamples.head(), Data("old".utf8)) == true)
            var writer = store?.writer(for: key, length: nil)
            chmod(path, 0o500)
            #expect(await store?.keep(CacheSamples.head(), Data("new".utf8)) == false)
            writer?.write(Data(count: 600_000))
            store?.settle()
            #expect(writer?.isDiscarded == true)
            #expect(try await store?.body(key) == Data("old".utf8))
            writer = nil
            store?.removeAll()
            #expect(store?.mayHave(key) == false)
            try await CacheTestFolder.close(&store)
            #expect(throws: CacheFolderError(EACCES, path)) {
                try DiskCacheStore(folder: url, capacity: 1 << 20)
            }
        }
    }
}
