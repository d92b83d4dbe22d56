/// How many bytes of a body have gone one way, as an attempt counts them.
struct TransferCount: Hashable, Sendable {
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
    /// The count at the beginning of a response's body.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - content: What a sink takes of it; nil without one.
    ///   - since: The time.
    ///   - isMain: Whether this is the way that the call's progress is about.
    init(receiving head: ResponseHead, into content: SinkContent?, since: UInt64, isMain: Bool) {
        direction = .download
        count = content?.earlier ?? 0
        total = content?.total ?? head.bodyLength
        earlier = content?.earlier ?? 0
        self.since = since
        self.isMain = isMain
    }
}

/// Hears that bytes went; asks for the count only where somebody wants it, as it takes some finding out.
typealias TransferWatch = @Sendable (_ count: () -> TransferCount?) -> Void
