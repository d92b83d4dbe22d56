import Foundation
import NetKit
import NetKitCache

// The one file that names NetKit's cache.

/// Which cache the tests run through.
enum CacheSetting: Sendable, Hashable {
    /// None: the baseline, in which every response comes from the server.
    case none
    case memory
    case disk(URL)

    /// Gives an endpoint the cache.
    ///
    /// - Parameter endpoint: The endpoint of the tests' requests.
    /// - Throws: An error of the disk store.
    func apply(to endpoint: Endpoint) throws {
        switch self {
        case .none: break
        case .memory: endpoint.cache = .memory(capacity: 64 << 20)
        case .disk(let folder): endpoint.cache = try .disk(folder)
        }
    }
}

/// The `cache` member of a fetch, which is what the tests have in place of a ``CachePolicy``.
enum FetchCacheMode: String, Sendable {
    case `default`
    case reload
    case noCache = "no-cache"
    case noStore = "no-store"
    case onlyIfCached = "only-if-cached"
    /// Takes a stored response however stale; a request's `max-stale` says so too.
    case forceCache = "force-cache"
}

extension StepRequest {
    var cachePolicy: CachePolicy {
        switch cacheMode {
        case .default, .forceCache: .standard
        case .reload: .reload
        case .noCache: .revalidate
        case .noStore: .noStore
        case .onlyIfCached: .onlyIfCached
        }
    }
}
