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
