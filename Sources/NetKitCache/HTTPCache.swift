public import Foundation
public import NetKit
import NetKitSupport

/// A cache of responses that follows RFC 9111, for ``Endpoint/cache``.
///
/// ```swift
/// endpoint.cache = .memory()
/// let orders: [Order] = try await endpoint.get("orders")
/// let again: [Order] = try await endpoint.get("orders")  // without a request, while the first response is fresh
/// ```
///
/// It is a private cache: it stores responses to GET, including those to requests with credentials. It never gives one
/// user's `private` response to another user: see <doc:Caching#Keep-users-apart>. Several endpoints can share a cache, and
/// it is safe to use from any thread.
///
/// - It stores complete responses of any status but 206, 304, 401 and 407, unless they have `Vary: *`, or `no-store`
///   without `must-understand`. Streams and downloads are stored if they are read to the end, event streams never.
///   `Set-Cookie` isn't stored.
/// - A response needs `max-age` or `Expires`. A validator is enough for one with `public` or `private`, or a status that is
///   heuristically cacheable (RFC 9110, section 15.1). `s-maxage` is ignored, because it is for shared caches.
/// - Of concurrent calls that miss the same response, one sends a request, and the others wait for the response that it
///   stores. Streams, HEAD requests, reloads and calls of a higher priority don't wait.
/// - An unsafe request, such as a POST, removes the responses stored for its URL, and for its `Location` and
///   `Content-Location` on the same origin, unless the server refuses it.
/// - Event streams and token refreshes bypass the cache. The response to an exchange whose credential, URL or method an
///   interceptor changes isn't stored.
public final class HTTPCache: Sendable {
    private struct Counts {
        var hits = 0
        var revalidations = 0
        var misses = 0
        var stored = 0
        var isProblemReported = false
    }

    let store: any CacheStore
    let flights = CacheFlights()
    private let storesCredentialedResponses: Bool
    private let counts = Locked(Counts())

    init(_ store: any CacheStore, storesCredentialedResponses: Bool = true) {
        self.store = store
        self.storesCredentialedResponses = storesCredentialedResponses
    }

    /// Creates an empty cache in memory.
    ///
    /// A response larger than half of the capacity isn't stored, nor one above 1 MiB and a tenth of the capacity.
    ///
    /// - Parameter capacity: The maximum size of all responses, in bytes. The least recently used ones are evicted.
    ///   Defaults to 32 MiB.
    /// - Returns: The cache.
    public static func memory(capacity: Int = 32 << 20) -> HTTPCache {
        HTTPCache(MemoryCacheStore(capacity: capacity))
    }

    /// Creates a cache in a folder, with the responses stored there earlier.
    ///
    /// Only their owner can read the files (mode 0600), which contain URLs with their queries. Each response is written to
    /// a file while it arrives. An interrupted write loses only that response, and damaged files are removed. If the disk
    /// is full, responses aren't stored, but no call fails.
    ///
    /// One process at a time can use the folder. In a second process, the cache stores nothing, and the endpoint logs a
    /// warning, as it does if the folder is removed while it is used. Within a process, several caches of one folder share
    /// their responses.
    ///
    /// - Parameters:
    ///   - folder: The folder, which is created if it doesn't exist. Other files in it aren't touched.
    ///   - capacity: The maximum size of all responses, in bytes. The least recently used ones are evicted. A response
    ///     larger than half of it isn't stored. There is at most one for each 4 KiB, as a file takes whole blocks of the
    ///     disk, so that all take at most twice the capacity there; 1,024 always have room. Defaults to 256 MiB.
    ///   - storesCredentialedResponses: Whether to write responses to requests with credentials to disk. Credentials
    ///     are those of ``Endpoint/authentication``, cookies, and sensitive header fields. Defaults to `false`.
    /// - Returns: The cache.
    /// - Throws: ``CacheFolderError`` if the folder can't be created, read, or written.
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

    /// Removes all responses.
    ///
    /// Responses that are currently arriving aren't stored.
    public func removeAll() {
        store.removeAll()
    }

    /// Removes the responses of a URL, for all users.
    ///
    /// Responses that are currently arriving from this URL aren't stored.
    ///
    /// - Parameter url: The URL of the request, including its query.
    public func remove(_ url: URL) {
        store.remove(url: CacheKey.text(of: url))
    }

    /// The usage counts since the cache was created.
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

    /// The usage counts of a cache since it was created.
    public struct Statistics: Sendable, Hashable {
        /// The number of requests answered without the server, including stale responses.
        public let hits: Int
        /// The number of stored responses that the server confirmed.
        public let revalidations: Int
        /// The number of requests without a usable stored response.
        ///
        /// It includes requests that failed, and requests that ``CachePolicy/onlyIfCached`` kept from being sent.
        public let misses: Int
        /// The number of responses stored.
        public let stored: Int
        /// The number of responses evicted to make room.
        public let evictions: Int
        /// The current size of all stored responses, in bytes.
        public let bytes: Int
    }
}

extension HTTPCache: Concealed {
    /// A description with usage counts and the size, without any content.
    package var shown: String {
        let statistics = statistics
        return
            "HTTPCache(\(statistics.hits) hits, \(statistics.misses) misses, \(statistics.bytes) bytes)"
    }
}

extension Endpoint {
    /// The cache for responses, which follows RFC 9111.
    ///
    /// Defaults to nil. Without a cache, nothing is stored. Users never share `private` responses: entries are kept apart
    /// by the request's own credentials, `authentication`, `cookies`, a client certificate of the transport, and
    /// `Host`. `derived(_:)` endpoints can therefore share a cache. To control caching per request, use
    /// `Request.cachePolicy`.
    ///
    /// The request's credential decides who shares a stored response:
    ///
    /// - `BearerAuthentication`: the requests of this object, until `setToken(_:)` sets another token, a refresh brings
    ///   the first one, or the user of a device signs in again.
    /// - `BasicAuthentication` and `DigestAuthentication`: the requests with the same name and password.
    /// - Another `Authentication`: the requests of this endpoint, until its authentication is replaced.
    /// - `cookies`: the requests of this jar, if it has a cookie for the URL, until a cookie is removed, or the response to
    ///   an unsafe request changes one.
    /// - `Authorization`, `Cookie` and other secret header fields: the requests with the same values.
    /// - A client certificate of the transport: the requests of this transport object.
    ///
    /// A `private` response is shared only by requests with exactly the same cookies, and over a custom transport only by
    /// endpoints of that transport.
    ///
    /// Downloads and `stream(_:)` calls use the cache like other calls. Event streams aren't stored.
    public var cache: HTTPCache? {
        get { layerSource() }
        set { setLayerSource(newValue) }
    }
}

// MARK: - Support for the layer

extension HTTPCache: LayerSource {
    package func layer(
        at place: LayerPlace,
        in setting: LayerSetting,
        above next: any Layer
    ) -> (any Layer)? {
        switch place {
        case .aboveRetry: StaleIfErrorLayer(cache: self, next: next)
        case .cache:
            CacheLayer(
                cache: self,
                user: CacheUser(in: setting),
                endpoint: setting.endpoint,
                settings: setting.settings,
                next: next
            )
        case .cookies: nil
        }
    }
}

extension HTTPCache {
    /// Returns whether the response for a key may be stored.
    func stores(_ key: CacheKey) -> Bool {
        storesCredentialedResponses || !key.isCredentialed
    }

    /// Returns a digest of a text, keyed with the store's secret.
    func digest(_ text: String) -> String {
        SHA256.digest(of: store.secret + Array(text.utf8)).hexadecimal
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

    func countStored() {
        counts.withLock { $0.stored += 1 }
    }

    /// Returns the reason why nothing is stored, only on the first call.
    func takeProblem() -> String? {
        guard let problem = store.problem else { return nil }
        return counts.withLock { counts in
            defer { counts.isProblemReported = true }
            return counts.isProblemReported ? nil : problem
        }
    }
}
