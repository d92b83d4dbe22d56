import Foundation
import Testing

@testable import NetKit
@testable import NetKitCache
@testable import NetKitSupport

@Suite("Disk cache writer", .timeLimit(.minutes(15)))
struct DiskCacheWriterTests {
    /// A disk that can be stopped and filled.
    private final class Disk: Sendable {
        private let state = Locked((room: Int.max, code: ENOSPC, written: [Int]()))
        private let gate = DispatchSemaphore(value: 1)

        func stop() { gate.wait() }
        func goOn() { gate.signal() }
        func fill(leaving room: Int, code: Int32 = ENOSPC) {
            state.withLock { ($0.room, $0.code) = (room, code) }
        }
        var written: [Int] { state.withLock { $0.written } }

        func write(_ data: Data, to descriptor: Int32) -> Int32? {
            gate.wait()
            defer { gate.signal() }
            let (count, code) = state.withLock { state in
                let count = min(state.room, data.count)
                state.room -= count
                state.written.append(count)
                return (count, count < data.count ? state.code : nil)
            }
            return writeAll(data.prefix(count), to: descriptor) ?? code
        }
    }

    private let folder = CacheTestFolder()
    private let disk = Disk()
    private let key = CacheSamples.key()

    private func store(capacity: Int = 64 << 20) throws -> DiskCacheStore {
        try DiskCacheStore(folder: folder.url, capacity: capacity) { [disk] in
            disk.write($0, to: $1)
        }
    }

    @Test("writes a short response at once, and a long one in portions as it arrives")
    func portions() async throws {
        let store = try store()
        #expect(await store.keep(CacheSamples.head(), Data(count: 100_000), pieces: 50))
        #expect(disk.written.count == 1)
        let writer = try #require(store.writer(for: key, length: nil))
        for _ in 0..<100 { writer.write(Data(count: 10_000)) }
        store.settle()
        #expect(disk.written.dropFirst().count == 3)
        #expect(disk.written.dropFirst().allSatisfy { (262_144..<272_144).contains($0) })
        #expect(folder.contents.names.count == 3)
        #expect(await writer.commit(CacheSamples.head()))
        #expect(try await store.body(key) == Data(count: 1_000_000))
        #expect(folder.contents.names == ["key", "lock"] && folder.contents.entries == 1)
    }

    @Test("applies backpressure from 2 MiB, signals free room, and stops beyond 4 MiB")
    func backpressure() async throws {
        let store = try store()
        let writer = try #require(store.writer(for: key, length: nil))
        #expect(!writer.awaitRoom {})
        disk.stop()
        for _ in 0..<7 { writer.write(Data(count: 262_144)) }
        #expect(!writer.isFull)
        writer.write(Data(count: 262_144))
        #expect(writer.isFull)
        let isRoom = Locked(0)
        let (rooms, room) = AsyncStream.makeStream(of: Void.self)
        #expect(
            writer.awaitRoom {
                isRoom.withLock { $0 += 1 }; room.finish()
            }
        )
        #expect(isRoom.withLock { $0 } == 0)
        disk.goOn()
        for await _ in rooms {}
        store.settle()
        #expect(isRoom.withLock { $0 } == 1 && !writer.isFull && !writer.isDiscarded)
        disk.stop()
        for _ in 0..<16 { writer.write(Data(count: 262_144)) }
        #expect(!writer.isDiscarded)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        #expect(writer.awaitRoom { end.finish() })
        writer.write(Data(count: 262_144))
        // Whoever waits hears of it though the disk stands still.
        for await _ in ends {}
        #expect(writer.isDiscarded && !writer.isFull && !writer.awaitRoom {})
        disk.goOn()
        store.settle()
        #expect(folder.contents.names == ["key", "lock"] && folder.contents.entries == 0)
    }

    @Test(
        "stops when the disk is full or fails",
        arguments: [0, 7, 300_000, 700_000],
        [ENOSPC, EIO, EDQUOT]
    )
    func failures(room: Int, code: Int32) async throws {
        let store = try store()
        #expect(await store.keep(CacheSamples.head(), Data("old".utf8)))
        disk.fill(leaving: room, code: code)
        #expect(await !store.keep(CacheSamples.head(), Data(count: 700_000), pieces: 70))
        store.settle()
        #expect(folder.contents.names == ["key", "lock"] && folder.contents.entries == 1)
        #expect(try await store.body(key) == Data("old".utf8))
        disk.fill(leaving: .max)
        #expect(await store.keep(CacheSamples.head(), Data(count: 700_000), pieces: 70))
        #expect(try await store.body(key) == Data(count: 700_000))
        #expect(store.folder?.state.withLock { $0.index.reserved } == 0)
    }

    @Test("removes an entry whose update fails halfway", arguments: [0, 1, 100])
    func failingUpdate(room: Int) async throws {
        let store = try store()
        #expect(await store.keep(CacheSamples.head(), Data("old".utf8)))
        let response = try #require(await store.find(key))
        disk.fill(leaving: room)
        await store.update(response, to: CacheSamples.head(number: 1))
        #expect(!store.mayHave(key) && store.usage.bytes == 0)
        #expect(folder.contents.entries == 0)
    }

    @Test(
        "never shows a response whose URL is removed during the write",
        arguments: [true, false]
    )
    func removedMeanwhile(waits: Bool) async throws {
        let store = try store()
        for number in 0..<300 {
            let head = CacheSamples.head(number: number)
            let writer = try #require(store.writer(for: key, length: nil))
            writer.write(Data(count: 1000))
            async let isKept = writer.commit(head)
            if number.isMultiple(of: 3) { await Task.yield() }
            if waits {
                store.remove(url: key.url)
                #expect(folder.contents.entries == 0)
            } else {
                store.remove(url: key.url) {}
            }
            // From here on it is not there, be it committed or not.
            #expect(!store.mayHave(key))
            _ = await isKept
            if !waits { store.settle() }
            #expect(!store.mayHave(key))
            #expect(folder.contents.entries == 0)
        }
        store.settle()
        #expect(folder.contents.names == ["key", "lock"])
        #expect(store.folder?.state.withLock { $0.index.reserved } == 0)
    }

    @Test("removes the file of a released writer")
    func released() async throws {
        let store = try store()
        var writer = store.writer(for: key, length: nil)
        writer?.write(Data(count: 600_000))
        store.settle()
        #expect(folder.contents.names.count == 3)
        writer = nil
        store.settle()
        #expect(folder.contents.names == ["key", "lock"])
        #expect(store.folder?.state.withLock { $0.index.reserved } == 0)
    }
}
