/// What an operation knows and owes; a pure value, so that every order of events is a test.
///
/// Deliveries are the closures that wait to be run on the operation's queue. They are run one after
/// the other, in the order in which they are owed: that is what keeps `onSuccess` behind the last
/// `onProgress` and `onDebug`, and what is registered first before what is registered later.
struct OperationState<Outcome: Sendable, Info: Sendable>: Sendable {
    /// A closure that waits to be run.
    struct Delivery: Sendable {
        /// Whether it runs on the main thread, whatever the operation's queue.
        var isOnMain = false
        let run: @Sendable () -> Void
    }

    /// A closure for what has happened.
    struct Handler<Value: Sendable>: Sendable {
        var isOnMain = false
        let run: @Sendable (Value) -> Void

        func delivery(of value: Value) -> Delivery {
            Delivery(isOnMain: isOnMain) { [run] in run(value) }
        }
    }

    /// What the owner has to do after a change.
    enum Action: Equatable, Sendable {
        case nothing
        /// Deliveries are owed and nobody runs them yet: start to.
        case drain

        /// What there is to do after this and another change.
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

    /// Whether anybody wants to hear of bytes.
    var isWatchingTransfers: Bool { !progressHandlers.isEmpty || !transferHandlers.isEmpty }

    /// The outcome, once there is one.
    var outcome: Outcome? {
        if case .finished(let outcome) = phase { outcome } else { nil }
    }

    // MARK: What happens

    /// The call is about to be sent.
    ///
    /// A second start, or one after the end, changes nothing.
    mutating func start() -> Action {
        guard case .created = phase else { return .nothing }
        phase = .started
        return enqueue(startHandlers)
    }

    /// Bytes went; what is not worth a report, or comes after the end, is dropped.
    mutating func transferred(_ count: TransferCount, at now: UInt64) -> Action {
        guard outcome == nil, let (transfer, isMain) = meter.report(count, at: now) else {
            return .nothing
        }
        return report(transfer, isMain: isMain)
    }

    /// Whether somebody has to ask for the latest count after ``TransferMeter/interval``.
    ///
    /// One waits to be told, and nothing else would tell it should the transfer stand still. True once
    /// for each.
    mutating func takesTransferTimer() -> Bool {
        guard outcome == nil, meter.isBehind, !hasTransferTimer else { return false }
        hasTransferTimer = true
        return true
    }

    /// Tells the latest count, if that was not told.
    mutating func reportLatestTransfer(at now: UInt64) -> Action {
        hasTransferTimer = false
        guard outcome == nil, let (transfer, isMain) = meter.flush(at: now) else { return .nothing }
        return report(transfer, isMain: isMain)
    }

    /// Nothing more is transferred; tells what was not worth a report until now.
    mutating func transfersEnded(successfully: Bool, at now: UInt64) -> Action {
        guard outcome == nil else { return .nothing }
        let rest = meter.flush(at: now).map { report($0.0, isMain: $0.isMain) } ?? .nothing
        guard successfully else { return rest }
        return rest.and(progressed(to: 1))
    }

    private mutating func report(_ transfer: Transfer, isMain: Bool) -> Action {
        lastTransfer = transfer
        let action = enqueue(transferHandlers.map { $0.delivery(of: transfer) })
        guard isMain, let fraction = transfer.fraction else { return action }
        return action.and(progressed(to: fraction))
    }

    /// Tells a progress, if it is one: another attempt counts from the beginning.
    private mutating func progressed(to fraction: Double) -> Action {
        guard fraction > lastProgress else { return .nothing }
        lastProgress = fraction
        return enqueue(progressHandlers.map { $0.delivery(of: fraction) })
    }

    /// An attempt is over.
    mutating func attempted(_ info: Info) -> Action {
        guard outcome == nil else { return .nothing }
        infos.append(info)
        return enqueue(infoHandlers.map { $0.delivery(of: info) })
    }

    /// The call is over; only the first outcome counts.
    ///
    /// - Returns: What to do, and who waits for the outcome elsewhere than on the queue.
    mutating func finish(
        _ outcome: Outcome
    ) -> (action: Action, waiters: [@Sendable (Outcome) -> Void]) {
        guard self.outcome == nil else { return (.nothing, []) }
        phase = .finished(outcome)
        let action = enqueue(outcomeHandlers.map { $0.delivery(of: outcome) })
        defer { forgetHandlers() }
        return (action, waiters)
    }

    /// A handler may hold its operation, which would then hold itself.
    private mutating func forgetHandlers() {
        startHandlers = []
        progressHandlers = []
        transferHandlers = []
        infoHandlers = []
        outcomeHandlers = []
        waiters = []
    }

    // MARK: Who listens

    /// Whether a handler of the outcome is there, a task awaits it, or it is known already.
    var hasListener: Bool { outcome != nil || !outcomeHandlers.isEmpty || !waiters.isEmpty }

    /// Adds a start handler; one that comes after the start is owed its call at once.
    mutating func addStartHandler(_ handler: @escaping @Sendable () -> Void) -> Action {
        let start = Delivery(run: handler)
        guard case .created = phase else { return enqueue([start]) }
        startHandlers.append(start)
        return .nothing
    }

    /// Adds a progress handler; one that comes late hears how far things are.
    mutating func addProgressHandler(
        onMain isOnMain: Bool = false,
        _ body: @escaping @Sendable (Double) -> Void
    ) -> Action {
        let handler = Handler(isOnMain: isOnMain, run: body)
        if outcome == nil { progressHandlers.append(handler) }
        let last = lastProgress
        return last > 0 ? enqueue([handler.delivery(of: last)]) : .nothing
    }

    /// Adds a transfer handler; one that comes late hears how far things are.
    mutating func addTransferHandler(
        onMain isOnMain: Bool = false,
        _ body: @escaping @Sendable (Transfer) -> Void
    ) -> Action {
        let handler = Handler(isOnMain: isOnMain, run: body)
        if outcome == nil { transferHandlers.append(handler) }
        guard let last = lastTransfer else { return .nothing }
        return enqueue([handler.delivery(of: last)])
    }

    /// Adds a debug handler; one that comes late hears of all attempts so far.
    mutating func addInfoHandler(
        onMain isOnMain: Bool = false,
        _ body: @escaping @Sendable (Info) -> Void
    ) -> Action {
        let handler = Handler(isOnMain: isOnMain, run: body)
        if outcome == nil { infoHandlers.append(handler) }
        return enqueue(infos.map { handler.delivery(of: $0) })
    }

    /// Adds an outcome handler; one that comes after the end is owed its call at once.
    mutating func addOutcomeHandler(
        onMain isOnMain: Bool = false,
        _ body: @escaping @Sendable (Outcome) -> Void
    ) -> Action {
        let handler = Handler(isOnMain: isOnMain, run: body)
        if let outcome { return enqueue([handler.delivery(of: outcome)]) }
        outcomeHandlers.append(handler)
        return .nothing
    }

    /// Adds someone who is told the outcome at once, without waiting for deliveries.
    ///
    /// - Returns: The outcome if there is one already; the waiter is not added then.
    mutating func addWaiter(_ waiter: @escaping @Sendable (Outcome) -> Void) -> Outcome? {
        if let outcome { return outcome }
        waiters.append(waiter)
        return nil
    }

    /// Owes a closure that runs when everything owed before it has run.
    mutating func addBarrier(_ barrier: @escaping @Sendable () -> Void) -> Action {
        enqueue([Delivery(run: barrier)])
    }

    // MARK: Delivering

    /// Whether anything is owed.
    var hasDeliveries: Bool { !deliveries.isEmpty || isDraining }

    /// The next closure to run; nil ends the draining.
    mutating func nextDelivery() -> Delivery? {
        guard let next = deliveries.popFirst() else {
            // A slice holds on to what was taken from it.
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
