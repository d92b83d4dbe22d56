/// How a request uses the cache of its endpoint; without ``Endpoint/cache``, only ``onlyIfCached`` changes anything.
public enum CachePolicy: Sendable, Hashable {
    /// As RFC 9111 says: a fresh response comes from the cache, a stale one is validated.
    case standard
    /// Asks the server, and stores the response.
    ///
    /// The request has `Cache-Control: no-cache`, unless it has a `Cache-Control` field of its own.
    case reload
    /// Asks the server whether the stored response is still valid, even if it is fresh.
    ///
    /// The request has `Cache-Control: max-age=0`, unless it has a `Cache-Control` field of its own. A fresh response that
    /// is `immutable` (RFC 8246) is used without asking.
    case revalidate
    /// Sends nothing: the stored response, even if it is stale, else a 504.
    ///
    /// The 504 is made up by the cache and is not retried. A stale response that has to be validated, by `no-cache` or
    /// `must-revalidate`, is not used.
    case onlyIfCached
    /// Neither looks for a stored response nor stores one.
    case noStore
}
