/// When the parts of one exchange began, by the endpoint's clock.
struct ExchangeTimes: Sendable {
    /// When the request went; nil while it waits for a connection.
    var start: UInt64?
    /// When the final head came.
    var head: UInt64?
    /// When it all was over.
    var end: UInt64?

    /// How long the parts took, of an exchange that is over.
    ///
    /// - Parameter queued: When the request began to wait for its turn.
    /// - Returns: How long each took.
    func phases(since queued: UInt64) -> ExchangePhases {
        let start = start ?? end ?? queued
        return ExchangePhases(
            queued: Self.duration(queued, start),
            head: head.map { Self.duration(start, $0) },
            body: head.map { Self.duration($0, end ?? $0) }
        )
    }

    private static func duration(_ start: UInt64, _ end: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: end > start ? end - start : 0))
    }
}
