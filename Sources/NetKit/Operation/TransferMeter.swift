/// A pure value that reduces byte counts to at most 20 reports per second.
///
/// The last count is always reported. Times are nanoseconds on any clock.
struct TransferMeter: Sendable {
    private struct Sample {
        var time: UInt64
        var count: Int64
    }

    /// The minimum time between two reports.
    static let interval: UInt64 = 50_000_000
    /// The period over which the rate is measured.
    private static let window: UInt64 = 3_000_000_000

    private var samples: [Sample] = []
    private var current: TransferCount?
    private var lastReport: UInt64?
    /// The latest count without a report.
    private var unreported: (count: TransferCount, time: UInt64)?

    /// Whether a count is unreported.
    var isBehind: Bool { unreported != nil }

    /// Records a count.
    ///
    /// - Parameters:
    ///   - count: The count.
    ///   - now: The current time.
    /// - Returns: The report to deliver now, or nil if none is due.
    mutating func report(_ count: TransferCount, at now: UInt64) -> (Transfer, isMain: Bool)? {
        begin(count)
        unreported = (count, now)
        let isDue = lastReport.map { now &- $0 >= Self.interval } ?? true
        return isDue || count.isWhole ? flush(at: now) : nil
    }

    /// Returns a report for the latest unreported count, if it differs from the last report.
    mutating func flush(at now: UInt64) -> (Transfer, isMain: Bool)? {
        guard let (count, time) = unreported else { return nil }
        unreported = nil
        guard current != count else { return nil }
        current = count
        lastReport = now
        while samples.count > 1, samples[1].time &+ Self.window <= time { samples.removeFirst() }
        let rate = samples.first.flatMap { Self.rate(from: $0, to: count, at: time) }
        samples.append(Sample(time: time, count: count.count))
        let transfer = Transfer(
            direction: count.direction,
            byteCount: count.count,
            totalByteCount: count.total,
            bytesPerSecond: rate
        )
        return (transfer, count.isMain)
    }

    /// Discards the samples of another transfer: the other direction or an earlier attempt.
    private mutating func begin(_ count: TransferCount) {
        let last = unreported?.count ?? current
        guard last?.since != count.since || last?.direction != count.direction else { return }
        samples = [Sample(time: count.since, count: count.earlier)]
        unreported = nil
    }

    /// Returns bytes per second, or nil if too little time has passed to measure.
    private static func rate(
        from sample: Sample,
        to count: TransferCount,
        at time: UInt64
    ) -> Double? {
        let elapsed = time > sample.time ? time - sample.time : 0
        guard elapsed >= (count.isWhole ? 1 : interval), count.count >= sample.count else {
            return nil
        }
        return Double(count.count - sample.count) * 1_000_000_000 / Double(elapsed)
    }
}
