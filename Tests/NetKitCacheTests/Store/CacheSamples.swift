import Foundation
import NetKitTesting
import Testing

@testable import NetKit
@testable import NetKitCache
@testable import NetKitSupport

/// Heads and bodies of stored responses.
enum CacheSamples {
    static let date = Date(timeIntervalSinceReferenceDate: 800_000_000)

    static func key(_ path: String = "a", _ partition: String = "") -> CacheKey {
        CacheKey(url: "https://example.com/\(path)", partition: partition)
    }

    /// A head that is later for a greater number.
    static func head(
        _ key: CacheKey = key(),
        accept: String? = nil,
        number: Int = 0,
        headers: HTTPHeaders = ["Content-Type": "text/plain"]
    ) -> StoredHead {
        StoredHead(
            key: key,
            selectors: accept.map { [StoredHead.Selector(name: "accept", value: $0)] } ?? [],
            status: 200,
            headers: headers,
            requestDate: date.addingTimeInterval(Double(number)),
            responseDate: date.addingTimeInterval(Double(number) + 0.25)
        )
    }

    private static var longKey: CacheKey {
        key("\u{2028}?q=\(String(repeating: "x", count: 300))", "p")
    }

    /// A head with everything that a head can have.
    static func full(_ key: CacheKey = longKey) -> StoredHead {
        var headers: HTTPHeaders = ["ETag": #"W/"ä""#, "X-Empty": "", "Link": "<a>"]
        headers.append("<b>", for: "link")
        headers.set("X-Secret", to: "s", isSensitive: true)
        headers.append("t", for: "X-Secret")
        return StoredHead(
            key: key,
            selectors: [
                StoredHead.Selector(name: "accept", value: ""),
                StoredHead.Selector(name: "accept-language", value: nil),
            ],
            status: 299,
            headers: headers,
            requestDate: date,
            responseDate: Date(timeIntervalSince1970: -1.5)
        )
    }

    /// Bytes that depend on a text alone, and are its own.
    static func body(_ text: String, count: Int) -> Data {
        let seed = text.utf8.reduce(UInt64(count)) { $0 &* 31 &+ UInt64($1) }
        var random = SeededGenerator(seed: seed)
        var data = Data(capacity: count + 8)
        while data.count < count {
            withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }
}

extension CacheStore {
    /// Keeps a response whose body comes in pieces.
    @discardableResult
    func keep(_ head: StoredHead, _ body: Data, pieces: Int = 1) async -> Bool {
        guard let writer = writer(for: head.key, length: nil) else { return false }
        let length = max(1, (body.count + pieces - 1) / pieces)
        var rest = body
        while !rest.isEmpty {
            writer.write(rest.prefix(length))
            rest = rest.dropFirst(length)
            guard writer.isFull else { continue }
            await withCheckedContinuation { continuation in
                if !writer.awaitRoom({ continuation.resume() }) { continuation.resume() }
            }
        }
        return await writer.commit(head)
    }

    /// The latest response for a key, whatever its selectors.
    func find(_ key: CacheKey) async -> StoredResponse? {
        await find(key) { _ in true }
    }

    /// The whole body of the latest response for a key.
    func body(_ key: CacheKey) async throws -> Data? {
        guard let response = await find(key) else { return nil }
        return try await response.wholeBody()
    }
}

extension CacheWriter {
    /// Makes a response visible when it has just arrived.
    func commit(_ head: StoredHead) async -> Bool {
        await commit(head, at: head.responseDate) == .stored
    }
}

extension StoredResponse {
    /// All bytes of the body, of a file in pieces.
    func wholeBody() async throws -> Data {
        switch body {
        case .data(let data): return data
        case .file(let file):
            var data = Data()
            while data.count < file.count {
                data += try await file.read(at: Int64(data.count), count: 100_000)
            }
            return data
        }
    }
}

/// A folder for the entries of one test, removed with it.
final class CacheTestFolder: Sendable {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("NetKitTests-\(UUID().uuidString)")
    }

    deinit {
        chmod(url.path, 0o700)
        try? FileManager.default.removeItem(at: url)
    }

    func store(capacity: Int = 1 << 20) throws -> DiskCacheStore {
        try DiskCacheStore(folder: url, capacity: capacity)
    }

    /// The names in the folder that are no entry's, and how many entries there are.
    var contents: (names: [String], entries: Int) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? []
        let others = names.filter { EntryName($0, .entry) == nil }
        return (others, names.count - others.count)
    }

    /// Where the entries are.
    var entries: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? []
        return names.filter { EntryName($0, .entry) != nil }.map { url.appendingPathComponent($0) }
    }

    /// Waits until a store is gone, so that the next one reads the folder anew.
    static func close(_ store: inout DiskCacheStore?) async throws {
        let folder = WeakFolder(store?.folder)
        store = nil
        while folder.folder != nil, !Task.isCancelled { await Task.yield() }
    }
}

private final class WeakFolder {
    weak var folder: CacheFolder?

    init(_ folder: CacheFolder?) {
        self.folder = folder
    }
}

extension DiskCacheStore {
    /// Waits for what the queues have yet to do.
    func settle() {
        // Work on either queue may add work to the other.
        for _ in 0..<3 {
            folder?.parts.wait {}
            folder?.entries.wait {}
        }
    }
}
