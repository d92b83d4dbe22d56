/// The part that the cache played in a response.
public enum CacheOutcome: Sendable, Hashable {
    /// The endpoint has no cache, or the request can't be cached.
    case none
    /// The response came from the server.
    case miss
    /// The response was stored and fresh.
    case hit
    /// The response was stored, and the server confirmed it.
    case revalidated
    /// The response was stored and is stale or unconfirmed.
    ///
    /// The request or the response allowed its use.
    case stale
}
