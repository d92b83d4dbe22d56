public import Foundation

/// Stored responses by the rules of RFC 9111, for ``Endpoint/cache``.
///
/// ```swift
/// endpoint.cache = .memory()
/// let orders: [Order] = try await endpoint.get("orders")
/// let again: [Order] = try await endpoint.get("orders")  // without a request, while the first response is fresh
/// ```
///
/// It is a private cache: it stores responses to GET, also those to requests with credentials, and never gives one user's
/// response to another. A cache may be shared by several endpoints, and used from any thread.
public final class HTTPCache: Sendable {
    private struct Counts {
        var hits = 0
        var revalidations = 0
        var misses = 0
        var stored = 0
        var isProblemReported = false
        /// How many removals there were.
        var removals = 0
        /// The URLs of the last removals; nil for one of everything.
        var lastRemoved: [String?] = []

        mutating func noteRemoval(of url: String?) {
            removals += 1
            if lastRemoved.count == HTTPCache.keptRemovals { lastRemoved.removeFirst() }
            lastRemoved.append(url)
        }
    }

    /// How many removals are remembered; a response that is older than these is not stored.
    private static let keptRemovals = 64

    let store: any CacheStore
    let flights = CacheFlights()
    private let storesCredentialedResponses: Bool
    private let counts = Locked(Counts())

    init(_ store: any CacheStore, storesCredentialedResponses: Bool = true) {
        self.store = store
        self.storesCredentialedResponses = storesCredentialedResponses
    }

    /// Creates a cache in memory.
    ///
    /// A response above a tenth of the capacity is not stored.
    ///
    /// - Parameter capacity: The maximum size of all responses, in bytes; the least recently used make room. Defaults to
    ///   32 MiB.
    /// - Returns: The cache, empty.
    public static func memory(capacity: Int = 32 << 20) -> HTTPCache {
        HTTPCache(MemoryCacheStore(capacity: capacity))
    }

    /// Creates a cache in a folder, with the responses that are in it.
    ///
    /// Only the owner of the process can read its files (mode 0600). Each response is a file that is written while it
    /// arrives: an interrupted write loses that response and nothing else. What is damaged is removed. A disk that is full
    /// means that responses are not stored; no call fails.
    ///
    /// The folder belongs to one process at a time. In a second one the cache stores nothing, and the endpoint's log has a
    /// warning. Several caches of one folder within a process share what is stored.
    ///
    /// - Parameters:
    ///   - folder: The folder; it is made if there is none. Foreign files in it stay.
    ///   - capacity: The maximum size of all responses, in bytes; the least recently used make room. A response above half
    ///     of it is not stored. Defaults to 256 MiB.
    ///   - storesCredentialedResponses: Whether responses to requests with credentials are written to the disk: with
    ///     ``Endpoint/authentication``, cookies, or fields that are marked sensitive. Defaults to false.
    /// - Returns: The cache.
    /// - Throws: ``CacheFolderError`` for a folder that cannot be made, read, or written.
    public static func disk(
        _ folder: URL,
        capacity: Int = 256 << 20,
        storesCredentialedResponses: Bool = false
    ) throws -> HTTPCache {
        HTTPCache(
            try DiskCacheStore(folder: folder, capacity: capacity),
            storesCredentialedResponses: storesCredentialedResponses
        )
    }

    /// Removes every response.
    ///
    /// Responses that are arriving are not stored.
    public func removeAll() {
        counts.withLock { $0.noteRemoval(of: nil) }
        store.removeAll()
    }

    /// Removes the responses of a URL, whosever they are.
    ///
    /// Responses that are arriving from there are not stored.
    ///
    /// - Parameter url: The URL of the request, with its query.
    public func remove(_ url: URL) {
        let url = CacheKey.text(of: url)
        counts.withLock { $0.noteRemoval(of: url) }
        store.remove(url: url)
    }

    /// What the cache did so far.
    public var statistics: Statistics {
        let counts = counts.withLock { $0 }
        let usage = store.usage
        return Statistics(
            hits: counts.hits,
            revalidations: counts.revalidations,
            misses: counts.misses,
            stored: counts.stored,
            evictions: usage.evictions,
            bytes: usage.bytes
        )
    }

    /// What a cache did since it was created.
    public struct Statistics: Sendable, Hashable {
        /// How many requests were answered without the server, by stale responses too.
        public let hits: Int
        /// How many stored responses the server confirmed.
        public let revalidations: Int
        /// How many requests went to the server, and got another response than the stored one or none.
        public let misses: Int
        /// How many responses were stored.
        public let stored: Int
        /// How many responses had to make room for others.
        public let evictions: Int
        /// The size of what is stored now, in bytes.
        public let bytes: Int
    }
}

extension HTTPCache: Concealed {
    /// How often it was used, and how much is stored; nothing of that.
    public var description: String {
        let statistics = statistics
        return
            "HTTPCache(\(statistics.hits) hits, \(statistics.misses) misses, \(statistics.bytes) bytes)"
    }
}

// MARK: - For the layer

extension HTTPCache {
    /// A cache that stores nothing.
    static let empty = memory(capacity: 0)

    /// Whether the response for a key may be stored.
    func stores(_ key: CacheKey) -> Bool {
        storesCredentialedResponses || key.partition.isEmpty
    }

    /// A digest of a text, made with the store's own secret.
    func digest(_ text: String) -> String {
        SHA256.digest(of: store.secret + Array(text.utf8))
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            .joined()
    }

    /// Counts a response.
    func count(_ outcome: CacheOutcome) {
        counts.withLock { counts in
            switch outcome {
            case .none: break
            case .miss: counts.misses += 1
            case .hit, .stale: counts.hits += 1
            case .revalidated: counts.revalidations += 1
            }
        }
    }

    /// How many removals there were so far.
    var removals: Int { counts.withLock { $0.removals } }

    /// Whether the responses of a URL were removed behind a number of removals.
    func hasRemoved(_ url: String, since start: Int) -> Bool {
        counts.withLock { counts in
            let count = counts.removals - start
            guard count <= counts.lastRemoved.count else { return true }
            return counts.lastRemoved.suffix(count).contains { $0 == nil || $0 == url }
        }
    }

    func countStored() {
        counts.withLock { $0.stored += 1 }
    }

    /// Why nothing is stored, for the first who asks.
    func takeProblem() -> String? {
        guard let problem = store.problem else { return nil }
        return counts.withLock { counts in
            defer { counts.isProblemReported = true }
            return counts.isProblemReported ? nil : problem
        }
    }
}
