import Foundation
import NetKitTesting
import Testing

@testable import NetKit
@testable import NetKitCache

/// Processes that are killed while they write to a cache's folder.
///
/// The suite kills 5 of them; `Tools/scripts/endure stress` sets `NETKIT_CACHE_CRASHES` to 200.
@Suite("Cache folder after crashes", .timeLimit(.minutes(10)))
struct CacheCrashTests {
    private static let crashes =
        ProcessInfo.processInfo.environment["NETKIT_CACHE_CRASHES"].flatMap { Int($0) } ?? 5

    /// How many URLs there are.
    private static let keys = 24

    @Test("contains whole entries only")
    func crashes() async throws {
        let folder = CacheTestFolder()
        for number in 1...Self.crashes {
            let path = folder.url.path
            // Each process first checks what the last one left.
            let microseconds = UInt32.random(in: 0...40_000)
            await #expect(processExitsWith: .signal(SIGKILL), "process \(number)") {
                [path = path as String, microseconds = microseconds as UInt32] in
                let store = try Self.store(path)
                try await Self.check(store, path)
                Thread.detachNewThread {
                    usleep(microseconds)
                    kill(getpid(), SIGKILL)
                }
                await Self.write(to: store, for: .max)
            }
        }
        let path = folder.url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try Self.store(path)
            try await Self.check(store, path)
            // Without a crash all of that is there: the check finds something.
            await Self.write(to: store, for: 200)
            let found = try await Self.check(store, path)
            guard found > Self.keys / 2 else { throw Damage(what: "\(found) entries") }
        }
    }

    private struct Damage: Error { let what: String }

    private static func store(_ path: String) throws -> DiskCacheStore {
        let url = URL(fileURLWithPath: path)
        let store = try DiskCacheStore(folder: url, capacity: 8 << 20)
        guard store.problem == nil else { throw Damage(what: "locked") }
        return store
    }

    /// Ends the process with a failure unless every entry that is found is whole, and nothing else is there.
    ///
    /// - Returns: How many entries there are.
    @discardableResult
    private static func check(_ store: DiskCacheStore, _ path: String) async throws -> Int {
        store.settle()
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        let others = names.filter { EntryName($0, .entry) == nil }.sorted()
        guard others == ["key", "lock"] else { fail("debris: \(others)") }
        var found = 0
        for number in 0..<keys {
            let key = CacheSamples.key("\(number)")
            guard let response = await store.find(key) else { continue }
            found += 1
            let tag = response.head.headers[.eTag] ?? ""
            let body = try await response.wholeBody()
            guard body == Self.body(number, tag) else { fail("\(number) of \(tag) is torn") }
        }
        return found
    }

    private static func fail(_ text: String) -> Never {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        exit(EXIT_FAILURE)
    }

    /// Short and long bodies, which depend on the URL and the version alone.
    private static func body(_ number: Int, _ tag: String) -> Data {
        CacheSamples.body("\(number) \(tag)", count: number % 4 == 0 ? 600_000 : 200 * number)
    }

    private static func write(to store: DiskCacheStore, for steps: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<3 {
                group.addTask {
                    var random = SeededGenerator(seed: .random(in: 0...(.max)))
                    var step = 0
                    while step < steps {
                        await Self.step("\(worker)-\(step)", store, &random)
                        step += 1
                    }
                }
            }
        }
    }

    private static func step(
        _ tag: String,
        _ store: DiskCacheStore,
        _ random: inout SeededGenerator
    ) async {
        let number = Int.random(in: 0..<keys, using: &random)
        let key = CacheSamples.key("\(number)")
        switch Int.random(in: 0..<20, using: &random) {
        case 0: store.remove(url: key.url)
        case 1..<6:
            guard let response = await store.find(key) else { return }
            var head = response.head
            let value = String(repeating: "x", count: Int.random(in: 0..<500, using: &random))
            head.headers.set("X-Update", to: value)
            await store.update(response, to: head)
        default:
            let head = CacheSamples.head(key, headers: ["ETag": tag])
            await store.keep(head, body(number, tag), pieces: 3)
        }
    }
}
