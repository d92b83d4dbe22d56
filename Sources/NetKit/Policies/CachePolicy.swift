/// A request's use of its endpoint's cache.
///
/// Without ``Endpoint/cache``, only ``onlyIfCached`` has an effect.
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
