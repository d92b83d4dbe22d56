package import NetKitSupport

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
    public var fractionCompleted: Double? {
        TransferCount.fraction(of: byteCount, in: totalByteCount)
    }

    /// The estimated remaining time, or nil if the total or the rate is unknown.
    public var estimatedTimeRemaining: Duration? {
        guard let totalByteCount, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        let seconds = Double(max(0, totalByteCount - byteCount)) / bytesPerSecond
        return seconds < 1e9 ? .seconds(seconds) : nil
    }
}

extension Transfer {
    init(_ reading: TransferMeter.Reading) {
        direction = reading.count.isUpload ? .upload : .download
        byteCount = reading.count.count
        totalByteCount = reading.count.total
        bytesPerSecond = reading.bytesPerSecond
    }
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
        self.init(
            isUpload: false,
            count: earlier + count,
            total: content?.total ?? head.bodyLength,
            earlier: earlier,
            since: since,
            isMain: isMain
        )
    }
}

/// Reports transferred bytes.
///
/// It computes the count only on demand, because that takes time.
package typealias TransferWatch = @Sendable (_ count: () -> TransferCount?) -> Void
