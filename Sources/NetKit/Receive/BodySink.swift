package import Foundation

/// Receives a response's body outside of memory, such as in a file or a stream.
///
/// Not safe for concurrent calls: the transport calls it from one thread at a time.
package protocol BodySink: AnyObject, Sendable {
    /// Decides whether to take a response's body.
    ///
    /// - Parameter head: The response's head.
    /// - Returns: The part of the body that the sink takes, or nil to collect the body in memory.
    /// - Throws: An error if the sink can't take the body.
    func begin(_ head: ResponseHead) throws -> SinkContent?
    /// Writes the next bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - beyondLimit: Whether the transport received the bytes before it could apply backpressure. A sink with a
    ///     limit must accept them anyway.
    /// - Throws: An error if the sink can't take the bytes.
    func write(_ data: Data, beyondLimit: Bool) throws
    /// Marks the body as complete.
    func end() throws
    /// Stops writing and leaves the body incomplete.
    func abandon()
    /// Whether the sink has buffered so much that the transport should apply backpressure.
    var isFull: Bool { get }
    /// Calls a handler when the sink has room again.
    ///
    /// - Parameter handler: The closure to call once.
    /// - Returns: `false` if there is room already, in which case the sink doesn't call the handler.
    func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool
}

extension BodySink {
    package var isFull: Bool { false }
    package func write(_ data: Data) throws { try write(data, beyondLimit: false) }
    package func awaitRoom(_ handler: @escaping @Sendable () -> Void) -> Bool { false }
}

/// The part of a response that a sink takes.
package struct SinkContent: Equatable, Sendable {
    /// The number of bytes already present from an earlier response.
    let earlier: Int64
    /// The complete length in bytes, or nil if unknown.
    let total: Int64?

    package init(earlier: Int64 = 0, total: Int64? = nil) {
        (self.earlier, self.total) = (earlier, total)
    }
}

extension TransportError {
    /// Wraps the failure of a body sink.
    package init(ofSink error: any Error) {
        self = error as? TransportError ?? TransportError(.other, underlying: error)
    }
}
