/// The progress of the calls of a batch.
///
/// It is a pure value. A call's fraction only increases, and so does the batch's. Each call has the same weight,
/// because the length of a body is unknown until its call starts.
struct BatchProgress: Sendable {
    /// The progress of one call, and of the batch at that time.
    struct Report: Equatable, Sendable {
        var index: Int
        var fraction: Double
        var total: Double
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
    init(of count: Int) {
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
    mutating func progressed(to fraction: Double, of index: Int, at now: UInt64) -> Report? {
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
    mutating func ended(_ index: Int, successfully isSuccessful: Bool) -> Report {
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
    var reports: [Report] {
        calls.keys.sorted().compactMap { index in calls[index].map { report(of: index, $0) } }
    }

    private func report(of index: Int, _ call: Call) -> Report {
        Report(index: index, fraction: call.fraction, total: total)
    }
}
