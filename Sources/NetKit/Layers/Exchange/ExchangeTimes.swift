/// The start times of an exchange's phases, by the endpoint's clock.
struct ExchangeTimes: Sendable {
    /// The time when sending started, or nil while waiting for a connection.
    var start: UInt64?
    /// The time when the final head arrived.
    var head: UInt64?
    /// The time when the exchange ended.
    var end: UInt64?

    /// Computes the phases of an ended exchange.
    ///
    /// - Parameters:
    ///   - queued: The time when the request was queued.
    ///   - connection: Facts about the connection.
    /// - Returns: The durations of the phases.
    func phases(since queued: UInt64, over connection: ConnectionFacts?) -> ExchangePhases {
        let start = start ?? end ?? queued
        return ExchangePhases(
            queue: Self.duration(queued, start),
            head: head.map { Self.duration(start, $0) },
            body: head.map { Self.duration($0, end ?? $0) },
            connection: connection
        )
    }

    private static func duration(_ start: UInt64, _ end: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: end > start ? end - start : 0))
    }
}
