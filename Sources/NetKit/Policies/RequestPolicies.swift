/// A request's use of its endpoint's cache.
///
/// Without ``Endpoint/cache``, only ``onlyIfCached`` has an effect. With a cache, the request's own `Cache-Control` field
/// counts, too: `max-age`, `min-fresh`, `max-stale`, `no-cache`, `no-store`, `only-if-cached` and `stale-if-error`.
public enum CachePolicy: Sendable, Hashable {
    /// Follows RFC 9111: uses a fresh stored response, and validates a stale one.
    case standard
    /// Sends the request to the server and stores the response.
    ///
    /// The request carries `Cache-Control: no-cache`, unless it sets a `Cache-Control` field.
    case reload
    /// Asks the server whether the stored response is still valid, even if it is fresh.
    ///
    /// The request carries `Cache-Control: max-age=0`, unless it sets a `Cache-Control` field. A fresh `immutable`
    /// response (RFC 8246) is used without validation.
    case revalidate
    /// Sends nothing, and returns the stored response, even if it is stale.
    ///
    /// Without a stored response, the cache creates a 504, which isn't retried. A stale response that requires
    /// validation, by `no-cache` or `must-revalidate`, isn't used.
    case onlyIfCached
    /// Neither reads from nor writes to the cache.
    case noStore
}

/// The priority of a request in the endpoint's queue.
///
/// Requests of equal priority are sent in order of arrival. Every fourth request that leaves the queue is the one that
/// has waited longest, whatever its priority, so that no request waits forever.
public enum RequestPriority: CaseIterable, Hashable, Sendable, Comparable {
    /// Sent after all other requests. Use it for prefetching.
    case low
    /// The default priority.
    case normal
    /// Sent before all other requests. Use it when a person is waiting for the result.
    case high

    /// The index of this priority's queue, starting at 0.
    var line: Int {
        switch self {
        case .low: 0
        case .normal: 1
        case .high: 2
        }
    }
}
