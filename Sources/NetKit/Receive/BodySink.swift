import Foundation

/// Takes a response's body somewhere else than into memory.
///
/// Used by one thread at a time.
protocol BodySink: AnyObject, Sendable {
    /// Looks at the head of a response.
    ///
    /// - Returns: Whether the sink takes the body; if not, it is gathered in memory.
    /// - Throws: What keeps the sink from taking it.
    func begin(_ head: ResponseHead) throws -> Bool
    /// Takes the next bytes.
    func write(_ data: Data) throws
    /// The body is whole.
    func end() throws
    /// The body will not become whole.
    func abandon()
}
