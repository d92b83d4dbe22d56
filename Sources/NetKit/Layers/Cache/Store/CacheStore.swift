import Foundation

/// Keeps responses, up to a number of bytes.
///
/// Of several responses for one key, those with equal selectors replace each other.
protocol CacheStore: AnyObject, Sendable {
    /// Whether there may be responses for a key: false is certain, and answered at once.
    func mayHave(_ key: CacheKey) -> Bool
    /// The latest response for a key that a rule accepts, which counts as used.
    ///
    /// What is damaged is removed, and not found.
    func find(
        _ key: CacheKey,
        where matches: @Sendable (StoredHead) -> Bool
    ) async -> StoredResponse?
    /// Begins to keep a response; nil where nothing is kept now.
    ///
    /// - Parameters:
    ///   - key: What it is to be found by.
    ///   - length: The number of bytes of its body; nil if it is not known.
    /// - Returns: What takes the body.
    func writer(for key: CacheKey, length: Int64?) -> (any CacheWriter)?
    /// Puts another head before the body of a response that is still there.
    func update(_ response: StoredResponse, to head: StoredHead) async
    /// Removes a response that is still there.
    func remove(_ response: StoredResponse) async
    /// Removes every response of a URL, whosever it is, and those that are being written.
    func remove(url: String)
    /// Removes everything, and what is being written.
    func removeAll()
    /// The bytes that are kept, and how many responses had to make room.
    var usage: (bytes: Int, evictions: Int) { get }
    /// Random bytes that make the store's digests its own: at least 16, the same as long as the store exists.
    var secret: [UInt8] { get }
    /// Why nothing is kept; nil where something is.
    var problem: String? { get }
}

/// Takes the body of a response that is to be kept; used by one thread at a time.
protocol CacheWriter: AnyObject, Sendable {
    /// Takes the next bytes; once there are too many, or they can't be written, the response is given up.
    func write(_ data: Data)
    /// Whether the response was given up, or removed while it was written.
    var isGivenUp: Bool { get }
    /// Whether so much waits to be written that the server had better be held back.
    var isFull: Bool { get }
    /// Calls a handler when there is room again, or the writing has ended.
    ///
    /// - Returns: False if there is already; the handler is not called then.
    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool
    /// Makes the response visible, in the place of those with equal selectors.
    ///
    /// - Returns: Whether it is kept.
    func commit(_ head: StoredHead) async -> Bool
    /// Gives the response up; nothing after ``commit(_:)``.
    func discard()
}
