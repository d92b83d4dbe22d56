/// The progress of a body's transfer in one direction.
public struct Transfer: Hashable, Sendable {
    /// The direction of a transfer.
    public enum Direction: Hashable, Sendable {
        /// The request's body, sent to the server.
        case upload
        /// A successful response's body, received from the server.
        case download
    }

    /// The direction of the transfer.
    public let direction: Direction
    /// The number of bytes transferred.
    ///
    /// A resumed download includes the bytes of the partial file. An upload counts bytes passed to the system, and
    /// starts over with each attempt and redirect.
    public let byteCount: Int64
    /// The total number of bytes, or nil if unknown, as for a compressed response.
    public let totalByteCount: Int64?
    /// The transfer rate in bytes per second, or nil if unknown.
    ///
    /// It is the average of the last three seconds. It is unknown for the first 50 milliseconds of an incomplete
    /// transfer.
    public let bytesPerSecond: Double?

    /// The completed fraction from 0 to 1, or nil if the total is unknown.
    ///
    /// It is 1 for an empty body.
    public var fractionCompleted: Double? { Self.fraction(of: byteCount, in: totalByteCount) }

    static func fraction(of count: Int64, in total: Int64?) -> Double? {
        total.map { $0 > 0 ? min(1, Double(count) / Double($0)) : 1 }
    }

    /// The estimated remaining time, or nil if the total or the rate is unknown.
    public var estimatedTimeRemaining: Duration? {
        guard let totalByteCount, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        let seconds = Double(max(0, totalByteCount - byteCount)) / bytesPerSecond
        return seconds < 1e9 ? .seconds(seconds) : nil
    }
}

/// The number of body bytes that an attempt has transferred in one direction.
package struct TransferCount: Equatable, Sendable {
    var direction: Transfer.Direction
    var count: Int64
    var total: Int64?
    /// The number of these bytes that an earlier call delivered.
    var earlier: Int64 = 0
    /// The time at which the transfer could start.
    var since: UInt64
    /// Whether the call's progress covers this direction.
    var isMain: Bool

    /// Whether the transfer is complete.
    var isWhole: Bool { total.map { count >= $0 } ?? false }

    /// The completed fraction from 0 to 1, or nil if the total is unknown.
    var fractionCompleted: Double? { Transfer.fraction(of: count, in: total) }
}

extension TransferCount {
    /// Creates the count of a response's body.
    ///
    /// - Parameters:
    ///   - count: The number of bytes received.
    ///   - head: The response's head.
    ///   - content: The part that a sink takes, or nil without a sink.
    ///   - since: The time at which the transfer could start.
    ///   - isMain: Whether the call's progress covers the download.
    package init(
        receiving count: Int64,
        of head: ResponseHead,
        into content: SinkContent?,
        since: UInt64,
        isMain: Bool
    ) {
        let earlier = content?.earlier ?? 0
        direction = .download
        self.count = earlier + count
        total = content?.total ?? head.bodyLength
        self.earlier = earlier
        self.since = since
        self.isMain = isMain
    }
}

/// Reports transferred bytes.
///
/// It computes the count only on demand, because that takes time.
package typealias TransferWatch = @Sendable (_ count: () -> TransferCount?) -> Void
