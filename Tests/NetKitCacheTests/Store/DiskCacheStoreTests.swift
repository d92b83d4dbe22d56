import Foundation
import Testing

@testable import NetKit
@testable import NetKitCache

@Suite("Disk cache store", .timeLimit(.minutes(15)))
struct DiskCacheStoreTests {
    private let folder = CacheTestFolder()
    private let key = CacheSamples.key()
    private let body = Data("The body of a small entry.".utf8)

    /// A store with one entry, opened again, so that it knows the names of its files alone.
    private func reopened() async throws -> DiskCacheStore {
        var store: DiskCacheStore? = try folder.store()
        #expect(await store?.keep(CacheSamples.full(key), body) == true)
        store?.settle()
        try await CacheTestFolder.close(&store)
        return try folder.store()
    }

    private func mode(_ url: URL) -> mode_t? {
        var status = stat()
        return lstat(url.path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test("restores its entries after a restart, in a folder for its owner only")
    func restart() async throws {
        let store = try await reopened()
        #expect(store.mayHave(key) && store.usage.bytes > body.count)
        let response = try #require(await store.find(key))
        #expect(response.head == CacheSamples.full(key))
        #expect(try await response.wholeBody() == body)
        #expect(folder.contents.names == ["key", "lock"] && folder.contents.entries == 1)
        #expect(mode(folder.url) == 0o700)
        let files = folder.entries + ["key", "lock"].map { folder.url.appendingPathComponent($0) }
        for file in files { #expect(mode(file) == 0o600) }
        // Neither the URL nor the partition can be read from a name.
        let secret = try Data(contentsOf: folder.url.appendingPathComponent("key"))
        #expect(secret.count == 32)
        let names = EntryNames(secret: Array(secret))
        #expect(EntryName(response.id, .entry)?.key == names.key(of: key))
        #expect(EntryNames(secret: []).key(of: key) != names.key(of: key))
    }

    @Test("returns long bodies as files that outlive their entries", arguments: [1, 40])
    func longBodies(pieces: Int) async throws {
        let store = try folder.store(capacity: 32 << 20)
        let long = CacheSamples.body("a", count: 5_000_000)
        #expect(await store.keep(CacheSamples.head(), long, pieces: pieces))
        let response = try #require(await store.find(key))
        guard case .file(let file) = response.body else {
            Issue.record("no file")
            return
        }
        await store.update(response, to: CacheSamples.head(headers: ["X": "1"]))
        store.removeAll()
        #expect(folder.contents.entries == 0)
        #expect(try await response.wholeBody() == long)
        #expect(try await file.read(at: 4_999_990, count: 100) == long.suffix(10))
        #expect(try await file.read(at: 5_000_000, count: 1).isEmpty)
        #expect(try await file.read(at: .max, count: .max).isEmpty)
        #expect(try await file.read(at: 0, count: -1).isEmpty)
    }

    @Test("keeps responses up to half the capacity")
    func half() async throws {
        let store = try folder.store(capacity: 100_000)
        #expect(store.writer(for: key, length: 50_001) == nil)
        #expect(await !store.keep(CacheSamples.head(), Data(count: 50_000)))
        #expect(await store.keep(CacheSamples.head(), Data(count: 49_000)))
        let writer = try #require(store.writer(for: key, length: nil))
        writer.write(Data(count: 50_001))
        #expect(writer.isDiscarded)
        store.settle()
        #expect(folder.contents.names == ["key", "lock"] && folder.contents.entries == 1)
    }

    @Test("never exceeds its capacity, however many tasks write")
    func manyWriters() async throws {
        let store = try folder.store(capacity: 4 << 20)
        let writers = (0..<6)
            .compactMap { store.writer(for: CacheSamples.key("\($0)"), length: nil) }
        for _ in 0..<4 {
            for writer in writers {
                writer.write(Data(count: 300_000))
                store.settle()
            }
            let sizes = try FileManager.default
                .contentsOfDirectory(
                    at: folder.url,
                    includingPropertiesForKeys: [.fileSizeKey]
                )
                .map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
            #expect(sizes.reduce(0, +) <= 4 << 20)
        }
        #expect(writers.filter(\.isDiscarded).count == 3)
        for (number, writer) in writers.enumerated() where !writer.isDiscarded {
            #expect(await writer.commit(CacheSamples.head(CacheSamples.key("\(number)"))))
        }
        #expect(folder.contents.entries == 3)
    }

    @Test("keeps nothing with zero capacity, and evicts entries above it", arguments: [0, -5, 150])
    func lessCapacity(capacity: Int) async throws {
        let store = try await reopened()
        #expect(store.mayHave(key))
        let other = try folder.store(capacity: capacity)
        #expect(!other.mayHave(key) && !store.mayHave(key))
        #expect(store.usage.bytes == 0 && store.usage.evictions == 1)
        #expect(await !other.keep(CacheSamples.head(), Data(count: 500)))
        #expect(folder.contents.entries == 0)
    }

    @Test("shares one folder per process, whatever the path's spelling")
    func shared() async throws {
        let store = try folder.store()
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
        let path = folder.url.path + "/../" + folder.url.lastPathComponent + "/link/."
        let other = try DiskCacheStore(folder: URL(fileURLWithPath: path), capacity: 50_000)
        #expect(other.folder === store.folder && other.problem == nil)
        #expect(await store.keep(CacheSamples.head(), body))
        #expect(try await other.body(key) == body)
        #expect(store.writer(for: key, length: 25_001) == nil)
    }

    private struct Name: CacheIndexKey {
        let url: Int
    }

    @Test(
        "has an entry for each block of the disk, and 1,024 in any case",
        arguments: [(8 << 20, 2_048), (2 << 20, 1_024)]
    )
    func count(capacity: Int, expected: Int) {
        var index = CacheIndex<Name, Int>(capacity: capacity, block: 4_096)
        let removed = (0..<3_000).flatMap { index.insert($0, for: Name(url: $0), size: 1) }
        #expect(removed == Array(0..<(3_000 - expected)))
        #expect(index.bytes == expected && index.evictions == removed.count)
    }

    @Test("reports a folder that was removed, where nothing is stored")
    func removedFolder() async throws {
        let store = try folder.store()
        #expect(await store.keep(CacheSamples.head(), body))
        try FileManager.default.removeItem(at: folder.url)
        #expect(store.problem == nil)
        #expect(await !store.keep(CacheSamples.head(), body))
        #expect(store.problem == "\(folder.url.path): the folder was removed")
    }

    @Test("stores nothing in another process's folder, and reports it")
    func otherProcess() async throws {
        var store: DiskCacheStore? = try await reopened()
        try await CacheTestFolder.close(&store)
        // A lock belongs to an open file, so that a second one is like another process.
        let lock = open(folder.url.appendingPathComponent("lock").path, O_RDWR | O_CLOEXEC)
        while flock(lock, LOCK_EX | LOCK_NB) != 0, !Task.isCancelled { await Task.yield() }
        let passive = try folder.store()
        #expect(passive.problem?.hasPrefix(folder.url.path) == true)
        #expect(passive.problem?.contains("\n") == false)
        #expect(!passive.mayHave(key) && passive.usage == (0, 0))
        #expect(await passive.find(key) == nil)
        #expect(passive.writer(for: key, length: 1) == nil)
        passive.remove(url: key.url)
        passive.removeAll()
        #expect(folder.contents.entries == 1)
        // A process that is just being started has the open file too.
        flock(lock, LOCK_UN)
        close(lock)
        #expect(try await folder.store().body(key) == body)
    }

    @Test("reopens within a process while files are still read")
    func handedOn() async throws {
        for _ in 0..<50 {
            let store = try folder.store()
            #expect(store.problem == nil)
            #expect(await store.keep(CacheSamples.head(), body))
            _ = await store.find(key)
        }
    }

    @Test("rejects a path where no folder can be")
    func refused() throws {
        func code(_ url: URL?) throws -> Int32? {
            let url = try #require(url)
            do throws(CacheFolderError) {
                _ = try DiskCacheStore(folder: url, capacity: 1000)
                return nil
            } catch {
                #expect(error.path == url.path && !"\(error)".contains("\n"))
                return error.code
            }
        }
        #expect(try code(URL(string: "https://example.com/a")) == ENOTDIR)
        #expect(try code(folder.url.appendingPathComponent("a\u{0}b")) == ENOTDIR)
        if FileManager.default.fileExists(atPath: "/proc") {
            #expect(try code(URL(fileURLWithPath: "/proc/self/nothing/cache")) == ENOENT)
        }
        #expect(try code(folder.url.appendingPathComponent("a/b/c")) == nil)
        let file = folder.url.appendingPathComponent("file")
        try Data().write(to: file)
        #expect(try code(file) == ENOTDIR)
        #expect(try code(file.appendingPathComponent("cache")) == ENOTDIR)
        let pipe = folder.url.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        #expect(try code(pipe) == ENOTDIR)
        let sealed = folder.url.appendingPathComponent("sealed")
        try FileManager.default.createDirectory(
            at: sealed.appendingPathComponent("lock"),
            withIntermediateDirectories: true
        )
        #expect(try code(sealed) == EISDIR)
        let blocked = folder.url.appendingPathComponent("blocked")
        try FileManager.default.createDirectory(
            at: blocked.appendingPathComponent("key"),
            withIntermediateDirectories: true
        )
        #expect(try code(blocked) == EISDIR)
        #expect(try FileManager.default.contentsOfDirectory(atPath: blocked.path).count == 2)
        let folderError = CacheFolderError(EACCES, "/a")
        #expect(folderError.description == "can't use the cache folder /a: Permission denied")
    }
}
