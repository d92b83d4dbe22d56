/// The state of an operation and its pending deliveries.
///
/// It is a pure value, so that tests can cover every order of events. Its outcome, and its information on attempts, are of
/// any type, because generics aren't specialized for another module. A delivery is a closure that waits to run on the
/// operation's queue. Deliveries run one at a time in order. This keeps `onSuccess` after the last `onProgress` and
/// `onDebug`, and earlier handlers before later ones.
package struct OperationState: Sendable {
    /// A closure that waits to run.
    package struct Delivery: Sendable {
        /// Whether it runs on the main thread, whatever the operation's queue.
        package var isOnMain = false
        package let run: @Sendable () -> Void
    }

    /// A closure that handles an event.
    fileprivate struct Handler<Value: Sendable>: Sendable {
        var isOnMain = false
        let run: @Sendable (Value) -> Void

        func delivery(of value: Value) -> Delivery {
            Delivery(isOnMain: isOnMain) { [run] in run(value) }
        }
    }

    /// The handlers of an operation.
    package struct Handlers: Sendable {
        fileprivate var start: [Delivery] = []
        fileprivate var progress: [Handler<Double>] = []
        fileprivate var transfer: [Handler<TransferMeter.Reading>] = []
        fileprivate var info: [Handler<any Sendable>] = []
        fileprivate var outcome: [Handler<any Sendable>] = []
    }

    /// The action that a change requires of the owner.
    package enum Action: Equatable, Sendable {
        case nothing
        /// Start to run deliveries, because none are running yet.
        case drain

        /// Combines this action with another.
        package func and(_ other: Action) -> Action { self == .drain ? self : other }
    }

    /// The timer for a count that came too early to report.
    private enum TransferTimer: Sendable {
        case none
        case running
        /// A later count was reported while the timer was running.
        case overtaken
    }

    private var hasStarted = false
    /// The outcome, once the call has ended.
    package private(set) var outcome: (any Sendable)?
    private var handlers = Handlers()
    private var waiters: [@Sendable (any Sendable) -> Void] = []
    private var meter = TransferMeter()
    private var lastProgress: Double = 0
    private var lastTransfer: TransferMeter.Reading?
    private var transferTimer = TransferTimer.none
    private var infos: [any Sendable] = []
    private var deliveries: ArraySlice<Delivery?> = []
    private var isDraining = false

    package init() {}

    /// Whether any handler reports transfers or progress.
    package var isWatchingTransfers: Bool {
        !handlers.progress.isEmpty || !handlers.transfer.isEmpty
    }

    // MARK: Events

    /// Marks the call as started.
    ///
    /// A second start, or one after the end, has no effect.
    package mutating func start() -> Action {
        guard !hasStarted, outcome == nil else { return .nothing }
        hasStarted = true
        return enqueue(handlers.start)
    }

    /// Records a byte count.
    ///
    /// Drops it if a report isn't due or the call has ended.
    package mutating func transferred(_ count: TransferCount, at now: UInt64) -> Action {
        guard outcome == nil, let reading = meter.report(count, at: now) else { return .nothing }
        return report(reading)
    }

    /// Returns the time after which the caller must call ``reportLatestTransfer(at:)``, or nil if it needn't.
    ///
    /// A stalled transfer would otherwise leave its latest count unreported. Returns a time once for each report.
    package mutating func takeTransferTimer(at now: UInt64) -> UInt64? {
        guard outcome == nil, meter.isBehind, case .none = transferTimer else { return nil }
        transferTimer = .running
        return meter.delay(at: now)
    }

    /// Reports the latest count if it is unreported and no other was reported since the timer was taken.
    ///
    /// Call ``takeTransferTimer(at:)`` afterward.
    package mutating func reportLatestTransfer(at now: UInt64) -> Action {
        defer { transferTimer = .none }
        guard outcome == nil, case .running = transferTimer, let reading = meter.flush(at: now)
        else { return .nothing }
        return report(reading)
    }

    /// Ends the transfers and reports the last count.
    package mutating func transfersEnded(successfully: Bool, at now: UInt64) -> Action {
        guard outcome == nil else { return .nothing }
        let rest = meter.flush(at: now).map { report($0) } ?? .nothing
        guard successfully else { return rest }
        return rest.and(progressed(to: 1))
    }

    private mutating func report(_ reading: TransferMeter.Reading) -> Action {
        lastTransfer = reading
        if case .running = transferTimer { transferTimer = .overtaken }
        let action = enqueue(handlers.transfer.map { $0.delivery(of: reading) })
        guard reading.count.isMain, let fraction = reading.count.fractionCompleted else {
            return action
        }
        return action.and(progressed(to: fraction))
    }

    /// Reports progress if it increased.
    ///
    /// A later attempt counts from the beginning.
    private mutating func progressed(to fraction: Double) -> Action {
        guard fraction > lastProgress else { return .nothing }
        lastProgress = fraction
        return enqueue(handlers.progress.map { $0.delivery(of: fraction) })
    }

    /// Records an attempt that ended.
    package mutating func attempted(_ info: any Sendable) -> Action {
        guard outcome == nil else { return .nothing }
        infos.append(info)
        return enqueue(handlers.info.map { $0.delivery(of: info) })
    }

    /// Records the outcome of the call.
    ///
    /// Only the first one counts. Removes all handlers, because one that retains its operation would create a cycle.
    ///
    /// - Parameter outcome: The outcome.
    /// - Returns: The action to take, the waiters to call directly rather than on the queue, and the handlers, to be
    ///   released outside of the owner's lock: what they hold may use the operation as it is released.
    package mutating func finish(
        _ outcome: any Sendable
    ) -> (action: Action, waiters: [@Sendable (any Sendable) -> Void], handlers: Handlers) {
        guard self.outcome == nil else { return (.nothing, [], Handlers()) }
        self.outcome = outcome
        let action = enqueue(handlers.outcome.map { $0.delivery(of: outcome) })
        defer { (waiters, handlers) = ([], Handlers()) }
        return (action, waiters, handlers)
    }

    // MARK: Handlers

    /// Whether there is an outcome, an outcome handler, or an awaiting task.
    package var hasListener: Bool {
        outcome != nil || !handlers.outcome.isEmpty || !waiters.isEmpty
    }

    /// Adds a start handler.
    ///
    /// After the start, it is delivered at once. A call that ended without a start delivers none.
    package mutating func addStartHandler(_ handler: @escaping @Sendable () -> Void) -> Action {
        let start = Delivery(run: handler)
        if hasStarted { return enqueue([start]) }
        if outcome == nil { handlers.start.append(start) }
        return .nothing
    }

    /// Adds a progress handler.
    ///
    /// A late one receives the current progress.
    package mutating func addProgressHandler(
        onMain isOnMain: Bool = false,
        _ body: @escaping @Sendable (Double) -> Void
    ) -> Action {
        let handler = Handler(isOnMain: isOnMain, run: body)
        if outcome == nil { handlers.progress.append(handler) }
        let last = lastProgress
        return last > 0 ? enqueue([handler.delivery(of: last)]) : .nothing
    }

    /// Adds a transfer handler.
    ///
    /// A late one receives the latest transfer.
    package mutating func addTransferHandler(
        _ body: @escaping @Sendable (TransferMeter.Reading) -> Void
    ) -> Action {
        let handler = Handler(run: body)
        if outcome == nil { handlers.transfer.append(handler) }
        guard let last = lastTransfer else { return .nothing }
        return enqueue([handler.delivery(of: last)])
    }

    /// Adds a debug handler.
    ///
    /// A late one receives all attempts so far.
    package mutating func addInfoHandler(
        _ body: @escaping @Sendable (any Sendable) -> Void
    ) -> Action {
        let handler = Handler(run: body)
        if outcome == nil { handlers.info.append(handler) }
        return enqueue(infos.map { handler.delivery(of: $0) })
    }

    /// Adds an outcome handler.
    ///
    /// After the end, it is delivered at once.
    package mutating func addOutcomeHandler(
        onMain isOnMain: Bool = false,
        _ body: @escaping @Sendable (any Sendable) -> Void
    ) -> Action {
        let handler = Handler(isOnMain: isOnMain, run: body)
        if let outcome { return enqueue([handler.delivery(of: outcome)]) }
        handlers.outcome.append(handler)
        return .nothing
    }

    /// Adds a waiter, which receives the outcome at once rather than as a delivery.
    ///
    /// - Parameter waiter: The closure to call.
    /// - Returns: The outcome if the call has ended, in which case the waiter isn't added.
    package mutating func addWaiter(
        _ waiter: @escaping @Sendable (any Sendable) -> Void
    ) -> (any Sendable)? {
        if let outcome { return outcome }
        waiters.append(waiter)
        return nil
    }

    /// Adds a closure that runs after all earlier deliveries.
    package mutating func addBarrier(_ barrier: @escaping @Sendable () -> Void) -> Action {
        enqueue([Delivery(run: barrier)])
    }

    // MARK: Delivering

    /// Whether deliveries are pending or running.
    package var hasDeliveries: Bool { !deliveries.isEmpty || isDraining }

    /// Returns the next delivery.
    ///
    /// Nil ends the draining.
    package mutating func nextDelivery() -> Delivery? {
        guard case .some(let next?) = deliveries.takeFirst(leaving: nil) else {
            isDraining = false
            return nil
        }
        return next
    }

    private mutating func enqueue(_ new: [Delivery]) -> Action {
        for delivery in new { deliveries.append(delivery) }
        guard !deliveries.isEmpty, !isDraining else { return .nothing }
        isDraining = true
        return .drain
    }
}
