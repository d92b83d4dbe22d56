/// The number of body bytes that an attempt has transferred in one direction.
package struct TransferCount: Equatable, Sendable {
    /// Whether the body is the request's.
    package var isUpload: Bool
    package var count: Int64
    package var total: Int64?
    /// The number of these bytes that an earlier call delivered.
    package var earlier: Int64
    /// The time at which the transfer could start.
    package var since: UInt64
    /// Whether the call's progress covers this direction.
    package var isMain: Bool

    package init(
        isUpload: Bool,
        count: Int64,
        total: Int64?,
        earlier: Int64 = 0,
        since: UInt64,
        isMain: Bool
    ) {
        self.isUpload = isUpload
        self.count = count
        self.total = total
        self.earlier = earlier
        self.since = since
        self.isMain = isMain
    }

    /// Whether the transfer is complete.
    var isWhole: Bool { total.map { count >= $0 } ?? false }

    /// The completed fraction from 0 to 1, or nil if the total is unknown.
    ///
    /// It is 1 for an empty body.
    package var fractionCompleted: Double? { Self.fraction(of: count, in: total) }

    package static func fraction(of count: Int64, in total: Int64?) -> Double? {
        total.map { $0 > 0 ? min(1, Double(count) / Double($0)) : 1 }
    }
}

/// A pure value that reduces byte counts to at most 20 reports per second.
///
/// The last count is always reported. Times are nanoseconds on any clock.
package struct TransferMeter: Sendable {
    /// A count to report, and the bytes per second, or nil if too little time has passed to measure.
    package struct Reading: Sendable {
        package let count: TransferCount
        package let bytesPerSecond: Double?
    }

    private struct Sample {
        var time: UInt64
        var count: Int64
    }

    /// The minimum time between two reports.
    package static let interval: UInt64 = 50_000_000
    /// The period over which the rate is measured.
    private static let window: UInt64 = 3_000_000_000

    private var samples: [Sample] = []
    private var current: TransferCount?
    private var lastReport: UInt64?
    /// The latest count without a report.
    private var unreported: (count: TransferCount, time: UInt64)?

    package init() {}

    /// Whether a count is unreported.
    package var isBehind: Bool { unreported != nil }

    /// Records a count.
    ///
    /// - Parameters:
    ///   - count: The count.
    ///   - now: The current time.
    /// - Returns: The report to deliver now, or nil if none is due.
    package mutating func report(_ count: TransferCount, at now: UInt64) -> Reading? {
        begin(count)
        unreported = (count, now)
        return delay(at: now) == 0 || count.isWhole ? flush(at: now) : nil
    }

    /// Returns the time until a report is due.
    func delay(at now: UInt64) -> UInt64 {
        // Another thread may have reported at a later time.
        guard let due = lastReport.map({ $0 &+ Self.interval }), due > now else { return 0 }
        return due - now
    }

    /// Returns a report for the latest unreported count, if it differs from the last report.
    package mutating func flush(at now: UInt64) -> Reading? {
        guard let (count, time) = unreported else { return nil }
        unreported = nil
        guard current != count else { return nil }
        current = count
        lastReport = now
        while samples.count > 1, samples[1].time &+ Self.window <= time { samples.removeFirst() }
        let rate = samples.first.flatMap { Self.rate(from: $0, to: count, at: time) }
        samples.append(Sample(time: time, count: count.count))
        return Reading(count: count, bytesPerSecond: rate)
    }

    /// Discards the samples of another transfer: the other direction or an earlier attempt.
    private mutating func begin(_ count: TransferCount) {
        let last = unreported?.count ?? current
        guard last?.since != count.since || last?.isUpload != count.isUpload else { return }
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

/// The progress of the calls of a batch.
///
/// It is a pure value. A call's fraction only increases, and so does the batch's. Each call has the same weight,
/// because the length of a body is unknown until its call starts.
package struct BatchProgress: Sendable {
    /// The progress of one call, and of the batch at that time.
    package struct Report: Equatable, Sendable {
        package let index: Int
        package let fraction: Double
        package let total: Double
    }

    /// A call in flight, or one that has ended.
    private struct Call {
        var fraction: Double
        var reportTime: UInt64?
        var hasEnded = false
    }

    private let count: Int
    private var calls: [Int: Call] = [:]
    /// The sum of the fractions, in which a call that has ended counts as complete.
    private var sum: Double = 0
    private var ended = 0

    /// Creates the progress of a batch that hasn't started.
    ///
    /// - Parameter count: The number of calls.
    package init(of count: Int) {
        self.count = count
    }

    /// The fraction of the batch that is complete, exactly 1 once all calls have ended.
    private var total: Double { ended < count ? min(1, sum / Double(count)) : 1 }

    /// Records a fraction of a call.
    ///
    /// - Parameters:
    ///   - fraction: The fraction. One that isn't greater than the last one has no effect.
    ///   - index: The index of the call.
    ///   - now: The current time in nanoseconds, on any clock.
    /// - Returns: The report to deliver now, or nil if none is due.
    package mutating func progressed(to fraction: Double, of index: Int, at now: UInt64) -> Report?
    {
        var call = calls[index] ?? Call(fraction: 0)
        guard !call.hasEnded, fraction > call.fraction else { return nil }
        sum += fraction - call.fraction
        call.fraction = fraction
        let isDue =
            call.reportTime.map { now &- $0 >= TransferMeter.interval } ?? true || fraction == 1
        if isDue { call.reportTime = now }
        calls[index] = call
        return isDue ? report(of: index, call) : nil
    }

    /// Records the end of a call.
    ///
    /// - Parameters:
    ///   - index: The index of the call.
    ///   - isSuccessful: Whether the call succeeded. One that failed keeps its fraction.
    /// - Returns: The report to deliver.
    package mutating func ended(_ index: Int, successfully isSuccessful: Bool) -> Report {
        var call = calls[index] ?? Call(fraction: 0)
        if !call.hasEnded {
            ended += 1
            sum += 1 - call.fraction
        }
        call.hasEnded = true
        if isSuccessful { call.fraction = 1 }
        calls[index] = call
        return report(of: index, call)
    }

    /// The latest report of each call that has made progress or ended, in the order of the requests.
    package var reports: [Report] {
        calls.keys.sorted().compactMap { index in calls[index].map { report(of: index, $0) } }
    }

    private func report(of index: Int, _ call: Call) -> Report {
        Report(index: index, fraction: call.fraction, total: total)
    }
}
