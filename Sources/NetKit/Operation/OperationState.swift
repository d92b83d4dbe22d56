/// The state of an operation and its pending deliveries.
///
/// It is a pure value, so that tests can cover every order of events. A delivery is a closure that waits to run on the
/// operation's queue. Deliveries run one at a time in order. This keeps `onSuccess` after the last `onProgress` and
/// `onDebug`, and earlier handlers before later ones.
struct OperationState<Outcome: Sendable, Info: Sendable>: Sendable {
    /// A closure that waits to run.
    struct Delivery: Sendable {
        /// Whether it runs on the main thread, whatever the operation's queue.
        var isOnMain = false
        let run: @Sendable () -> Void
    }

    /// A closure that handles an event.
    struct Handler<Value: Sendable>: Sendable {
        var isOnMain = false
        let run: @Sendable (Value) -> Void

        func delivery(of value: Value) -> Delivery {
            Delivery(isOnMain: isOnMain) { [run] in run(value) }
        }
    }

    /// The action that a change requires of the owner.
    enum Action: Equatable, Sendable {
        case nothing
        /// Start to run deliveries, because none are running yet.
        case drain

        /// Combines this action with another.
        func and(_ other: Action) -> Action { self == .drain ? self : other }
    }

    private enum Phase: Sendable {
        case created
        case started
        case finished(Outcome)
    }

    private var phase = Phase.created
    private var startHandlers: [Delivery] = []
    private var progressHandlers: [Handler<Double>] = []
    private var transferHandlers: [Handler<Transfer>] = []
    private var infoHandlers: [Handler<Info>] = []
    private var outcomeHandlers: [Handler<Outcome>] = []
    private var waiters: [@Sendable (Outcome) -> Void] = []
    private var meter = TransferMeter()
    private var lastProgress: Double = 0
    private var lastTransfer: Transfer?
    private var hasTransferTimer = false
    private var infos: [Info] = []
    private var deliveries: ArraySlice<Delivery> = []
    private var isDraining = false

    /// Whether any handler reports transfers or progress.
    var isWatchingTransfers: Bool { !progressHandlers.isEmpty || !transferHandlers.isEmpty }

    /// The outcome, once the call has ended.
    var outcome: Outcome? {
        if case .finished(let outcome) = phase { outcome } else { nil }
    }

    // MARK: Events

    /// Marks the call as started.
    ///
    /// A second start, or one after the end, has no effect.
    mutating func start() -> Action {
        guard case .created = phase else { return .nothing }
        phase = .started
        return enqueue(startHandlers)
    }

    /// Records a byte count.
    ///
    /// Drops it if a report isn't due or the call has ended.
    mutating func transferred(_ count: TransferCount, at now: UInt64) -> Action {
        guard outcome == nil, let (transfer, isMain) = meter.report(count, at: now) else {
            return .nothing
        }
        return report(transfer, isMain: isMain)
    }

    /// Returns whether the caller must flush the latest count after ``TransferMeter/interval``.
    ///
    /// A stalled transfer would otherwise leave its latest count unreported. Returns `true` once for each flush.
    mutating func takesTransferTimer() -> Bool {
        guard outcome == nil, meter.isBehind, !hasTransferTimer else { return false }
        hasTransferTimer = true
        return true
    }

    /// Reports the latest count if it is unreported.
    mutating func reportLatestTransfer(at now: UInt64) -> Action {
        hasTransferTimer = false
        guard outcome == nil, let (transfer, isMain) = meter.flush(at: now) else { return .nothing }
        return report(transfer, isMain: isMain)
    }

    /// Ends the transfers and reports the last count.
    mutating func transfersEnded(successfully: Bool, at now: UInt64) -> Action {
        guard outcome == nil else { return .nothing }
        let rest = meter.flush(at: now).map { report($0.0, isMain: $0.isMain) } ?? .nothing
        guard successfully else { return rest }
        return rest.and(progressed(to: 1))
    }

    private mutating func report(_ transfer: Transfer, isMain: Bool) -> Action {
        lastTransfer = transfer
        let action = enqueue(transferHandlers.map { $0.delivery(of: transfer) })
        guard isMain, let fraction = transfer.fractionCompleted else { return action }
        return action.and(progressed(to: fraction))
    }

    /// Reports progress if it increased.
    ///
    /// A later attempt counts from the beginning.
    private mutating func progressed(to fraction: Double) -> Action {
        guard fraction > lastProgress else { return .nothing }
        lastProgress = fraction
        return enqueue(progressHandlers.map { $0.delivery(of: fraction) })
    }

    /// Records an attempt that ended.
    mutating func attempted(_ info: Info) -> Action {
        guard outcome == nil else { return .nothing }
        infos.append(info)
        return enqueue(infoHandlers.map { $0.delivery(of: info) })
    }

    /// Records the outcome of the call.
    ///
    /// Only the first one counts.
    ///
    /// - Parameter outcome: The outcome.
    /// - Returns: The action to take, and the waiters to call directly rather than on the queue.
    mutating func finish(
        _ outcome: Outcome
    ) -> (action: Action, waiters: [@Sendable (Outcome) -> Void]) {
        guard self.outcome == nil else { return (.nothing, []) }
        phase = .finished(outcome)
        let action = enqueue(outcomeHandlers.map { $0.delivery(of: outcome) })
        defer { forgetHandlers() }
        return (action, waiters)
    }

    /// Releases all handlers, because a handler that retains its operation would create a cycle.
    private mutating func forgetHandlers() {
        startHandlers = []
        progressHandlers = []
        transferHandlers = []
        infoHandlers = []
        outcomeHandlers = []
        waiters = []
    }

    // MARK: Handlers

    /// Whether there is an outcome, an outcome handler, or an awaiting task.
    var hasListener: Bool { outcome != nil || !outcomeHandlers.isEmpty || !waiters.isEmpty }

    /// Adds a start handler.
    ///
    /// After the start, it is delivered at once.
    mutating func addStartHandler(_ handler: @escaping @Sendable () -> Void) -> Action {
        let start = Delivery(run: handler)
        guard case .created = phase else { return enqueue([start]) }
        startHandlers.append(start)
        return .nothing
    }

    /// Adds a progress handler.
    ///
    /// A late one receives the current progress.
    mutating func addProgressHandler(
        onMain isOnMain: Bool = false,
        _ body: @escaping @Sendable (Double) -> Void
    ) -> Action {
        let handler = Handler(isOnMain: isOnMain, run: body)
        if outcome == nil { progressHandlers.append(handler) }
        let last = lastProgress
        return last > 0 ? enqueue([handler.delivery(of: last)]) : .nothing
    }

    /// Adds a transfer handler.
    ///
    /// A late one receives the latest transfer.
    mutating func addTransferHandler(
        onMain isOnMain: Bool = false,
        _ body: @escaping @Sendable (Transfer) -> Void
    ) -> Action {
        let handler = Handler(isOnMain: isOnMain, run: body)
        if outcome == nil { transferHandlers.append(handler) }
        guard let last = lastTransfer else { return .nothing }
        return enqueue([handler.delivery(of: last)])
    }

    /// Adds a debug handler.
    ///
    /// A late one receives all attempts so far.
    mutating func addInfoHandler(
        onMain isOnMain: Bool = false,
        _ body: @escaping @Sendable (Info) -> Void
    ) -> Action {
        let handler = Handler(isOnMain: isOnMain, run: body)
        if outcome == nil { infoHandlers.append(handler) }
        return enqueue(infos.map { handler.delivery(of: $0) })
    }

    /// Adds an outcome handler.
    ///
    /// After the end, it is delivered at once.
    mutating func addOutcomeHandler(
        onMain isOnMain: Bool = false,
        _ body: @escaping @Sendable (Outcome) -> Void
    ) -> Action {
        let handler = Handler(isOnMain: isOnMain, run: body)
        if let outcome { return enqueue([handler.delivery(of: outcome)]) }
        outcomeHandlers.append(handler)
        return .nothing
    }

    /// Adds a waiter, which receives the outcome at once rather than as a delivery.
    ///
    /// - Parameter waiter: The closure to call.
    /// - Returns: The outcome if the call has ended, in which case the waiter isn't added.
    mutating func addWaiter(_ waiter: @escaping @Sendable (Outcome) -> Void) -> Outcome? {
        if let outcome { return outcome }
        waiters.append(waiter)
        return nil
    }

    /// Adds a closure that runs after all earlier deliveries.
    mutating func addBarrier(_ barrier: @escaping @Sendable () -> Void) -> Action {
        enqueue([Delivery(run: barrier)])
    }

    // MARK: Delivering

    /// Whether deliveries are pending or running.
    var hasDeliveries: Bool { !deliveries.isEmpty || isDraining }

    /// Returns the next delivery.
    ///
    /// Nil ends the draining.
    mutating func nextDelivery() -> Delivery? {
        guard let next = deliveries.popFirst() else {
            // Releases the consumed deliveries, which a slice would retain.
            deliveries = []
            isDraining = false
            return nil
        }
        return next
    }

    private mutating func enqueue(_ new: [Delivery]) -> Action {
        deliveries += new
        guard !deliveries.isEmpty, !isDraining else { return .nothing }
        isDraining = true
        return .drain
    }
}

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
