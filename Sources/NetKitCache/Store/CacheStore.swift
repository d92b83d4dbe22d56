import Foundation
import NetKit

/// A store of responses with a limited number of bytes.
///
/// Responses for one key with equal selectors replace each other.
protocol CacheStore: AnyObject, Sendable {
    /// Returns at once whether there may be responses for a key.
    ///
    /// `false` is certain.
    func mayHave(_ key: CacheKey) -> Bool
    /// Returns the latest accepted response for a key, and marks it as used.
    ///
    /// Damaged responses are removed and not returned.
    func find(
        _ key: CacheKey,
        where matches: @Sendable (StoredHead) -> Bool
    ) async -> StoredResponse?
    /// Starts to store a response.
    ///
    /// - Parameters:
    ///   - key: The key of the response.
    ///   - length: The length of its body in bytes, or nil if unknown.
    /// - Returns: The writer for the body, or nil if nothing can be stored now.
    func writer(for key: CacheKey, length: Int64?) -> (any CacheWriter)?
    /// Replaces the head of a response that is still stored.
    func update(_ response: StoredResponse, to head: StoredHead) async
    /// Removes a response if it is still stored.
    func remove(_ response: StoredResponse) async
    /// Removes all responses of a URL, for all users, including those being written.
    func remove(url: String)
    /// Removes all responses, including those being written.
    func removeAll()
    /// The number of bytes stored and the number of evicted responses.
    var usage: (bytes: Int, evictions: Int) { get }
    /// A random key for the store's digests: at least 16 bytes, and constant.
    var secret: [UInt8] { get }
    /// The reason why nothing is stored, or nil if the store works.
    var problem: String? { get }
}

/// A writer for the body of a response being stored.
///
/// Used by one thread at a time.
protocol CacheWriter: AnyObject, Sendable {
    /// Writes the next bytes.
    ///
    /// Discards the response if there are too many or writing fails.
    func write(_ data: Data)
    /// Whether the response was discarded, or removed while it was being written.
    var isDiscarded: Bool { get }
    /// Whether so much is waiting to be written that the transport should apply backpressure.
    var isFull: Bool { get }
    /// Calls a handler when there is room again or writing has ended.
    ///
    /// - Parameter handler: The closure to call once.
    /// - Returns: `false` if there is room already, in which case the writer doesn't call the handler.
    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool
    /// Makes the response visible, and replaces those with equal selectors.
    ///
    /// - Parameter head: The head of the response.
    /// - Returns: Whether the response is stored.
    func commit(_ head: StoredHead) async -> Bool
    /// Discards the response.
    ///
    /// Does nothing after ``commit(_:)``.
    func discard()
}
