import Foundation

/// Takes a response's body somewhere else than into memory.
///
/// Used by one thread at a time.
protocol BodySink: AnyObject, Sendable {
    /// Looks at the head of a response.
    ///
    /// - Returns: What the sink takes; nil to let the body be gathered in memory.
    /// - Throws: What keeps the sink from taking it.
    func begin(_ head: ResponseHead) throws -> SinkContent?
    /// Takes the next bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - beyondLimit: Whether they were already under way when the server was held back, so that a sink with a
    ///     limit has to take them all the same.
    /// - Throws: What keeps the sink from taking them.
    func write(_ data: Data, beyondLimit: Bool) throws
    /// The body is whole.
    func end() throws
    /// The body will not become whole.
    func abandon()
    /// Whether so much waits in the sink that the server had better be held back.
    var isFull: Bool { get }
    /// Calls a handler when there is room again.
    ///
    /// - Returns: False if there is already; the handler is not called then.
    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool
}

extension BodySink {
    var isFull: Bool { false }
    func write(_ data: Data) throws { try write(data, beyondLimit: false) }
    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool { false }
}

/// What a sink takes of a response.
struct SinkContent: Equatable, Sendable {
    /// How many bytes it has already, from an earlier response.
    var earlier: Int64 = 0
    /// How many it will have in the end; nil where that is not known.
    var total: Int64?
}

extension TransportError {
    /// The error of a call whose sink failed.
    init(ofSink error: any Error) {
        self = error as? TransportError ?? TransportError(.other, underlying: error)
    }
}
