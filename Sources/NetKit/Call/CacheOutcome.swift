/// What a cache did for a response.
public enum CacheOutcome: Sendable, Hashable {
    /// The endpoint has no cache, or the request cannot be cached.
    case none
    /// The response came from the server.
    case miss
    /// The response was stored, and fresh.
    case hit
    /// The response was stored, and the server confirmed it.
    case revalidated
    /// The response was stored and is stale, or could not be confirmed; the request or the response allowed to use it.
    case stale
}
