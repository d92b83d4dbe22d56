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

/// Collects a response in memory, up to a limit on the decompressed size.
struct BoundedResponse: Sendable {
    private(set) var head: ResponseHead?
    private(set) var body = Data()
    /// The maximum size of the body, in bytes.
    let limit: Int

    /// The body's expected length in bytes, if the head states it.
    var expectedLength: Int64? { head?.bodyLength }

    mutating func receive(_ head: ResponseHead) { self.head = head }

    /// Appends bytes to the body.
    ///
    /// - Parameter data: The bytes to append.
    /// - Returns: Whether the bytes fit within the limit. If not, the body is unchanged.
    mutating func receive(_ data: Data) -> Bool {
        guard data.count <= limit - body.count else { return false }
        if body.isEmpty {
            body = data
            reserveExpectedLength(beyond: data.count)
        } else {
            body.append(data)
        }
        return true
    }

    /// Reserves capacity for the expected body, up to 1 MiB.
    ///
    /// The limit keeps a false length from claiming memory. Skips first chunks below 8 KiB, which are usually the whole
    /// body.
    private mutating func reserveExpectedLength(beyond count: Int) {
        guard count >= 8 << 10, let expectedLength, expectedLength > Int64(count) else { return }
        body.reserveCapacity(Int(min(expectedLength, Int64(limit), 1 << 20)))
    }
}
