/// How many bytes of a body have gone one way, as an attempt counts them.
struct TransferCount: Equatable, Sendable {
    var direction: Transfer.Direction
    var count: Int64
    var total: Int64?
    /// How many of them an earlier call had brought already.
    var earlier: Int64 = 0
    /// When the first byte could go.
    var since: UInt64
    /// Whether this is the way that the call's progress is about.
    var isMain: Bool

    /// Whether there is nothing more to come.
    var isWhole: Bool { total.map { count >= $0 } ?? false }
}

extension TransferCount {
    /// The count of a response's body.
    ///
    /// - Parameters:
    ///   - count: How many bytes have come.
    ///   - head: The response's head.
    ///   - content: What a sink takes of it; nil without one.
    ///   - since: When the first byte could come.
    ///   - isMain: Whether this is the way that the call's progress is about.
    init(
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

/// Hears that bytes went; asks for the count only where somebody wants it, as it takes some finding out.
typealias TransferWatch = @Sendable (_ count: () -> TransferCount?) -> Void
