/// What a cache looks stored responses up by.
struct CacheKey: Hashable, Sendable {
    /// The URL of the request, without its fragment.
    let url: String
    /// Whose response it is; empty for a request without credentials.
    ///
    /// Never a credential itself: it may be written to a disk.
    let partition: String
}
