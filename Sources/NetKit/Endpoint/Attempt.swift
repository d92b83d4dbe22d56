import Foundation

/// One exchange: gathers the response, and ends when it is whole, silent for too long, or stopped.
final class Attempt: TransportReceiver, Stoppable, DeadlineOwner {
    private struct State {
        var collector: ResponseCollector
        var continuation: CheckedContinuation<AttemptOutcome, Never>?
        var exchange: (any TransportExchange)?
        var isOver = false
        /// How it ended, where that was before anybody waited for it.
        var earlyOutcome: AttemptOutcome?
        /// When a byte last went either way; nil while the request waits for a connection.
        var lastActivity: UInt64?
        var deadlineToken: DeadlineClock.Token?
        /// What is received of a response whose bytes are counted.
        var received: TransferCount?
        var times = AttemptTimes()
        /// How many bytes of the body went to the sink; nil where it takes none.
        var sunkLength: Int64?
        /// Whether the server is held back: its silence is not its own.
        var isHeldBack = false
    }

    /// What is left to do, outside the lock, when the attempt is over.
    private struct Ending {
        let outcome: AttemptOutcome
        let continuation: CheckedContinuation<AttemptOutcome, Never>?
        let exchange: (any TransportExchange)?
        let deadlineToken: DeadlineClock.Token?
    }

    private let state: Locked<State>
    private let clock: DeadlineClock
    private let idleTimeout: @Sendable () -> Duration
    private let bodyLength: Int64?
    private let mainDirection: Transfer.Direction
    private let sink: (any BodySink)?
    private let onProgress: TransferWatch?
    private let report: CallReporter?

    /// Makes an attempt that has not begun.
    ///
    /// - Parameters:
    ///   - clock: Measures the silence.
    ///   - limit: The most bytes the response's body may have.
    ///   - bodyLength: The length of the request's body, nil without one.
    ///   - mainDirection: Which way the call's progress is about.
    ///   - sink: Takes the body of a successful response; nil to gather it in memory.
    ///   - idleTimeout: How long the silence may be; asked anew whenever it matters.
    ///   - onProgress: Hears of bytes, in order.
    ///   - report: Told what happens, if anybody listens.
    init(
        clock: DeadlineClock,
        limit: Int,
        body bodyLength: Int64?,
        progress mainDirection: Transfer.Direction,
        sink: (any BodySink)?,
        idleTimeout: @escaping @Sendable () -> Duration,
        onProgress: TransferWatch?,
        report: CallReporter?
    ) {
        state = Locked(State(collector: ResponseCollector(limit: limit)))
        self.clock = clock
        self.bodyLength = bodyLength
        self.mainDirection = mainDirection
        self.sink = sink
        self.idleTimeout = idleTimeout
        self.onProgress = onProgress
        self.report = report
    }

    /// Sends `request` and waits for the end.
    func run(
        _ request: EncodedRequest,
        over transport: any Transport,
        control: CallControl
    ) async -> AttemptOutcome {
        control.enter(self)
        defer { control.leave(self) }
        // Resumed once: by whoever takes it out of the state, or here where it did not get in. A checked one, as
        // `resume` of an unsafe one is compiled in here, where the sanitizer takes its look at the task for a race.
        return await withCheckedContinuation { continuation in
            let early = state.withLock { state -> AttemptOutcome? in
                if !state.isOver { state.continuation = continuation }
                return state.earlyOutcome
            }
            if let early {
                continuation.resume(returning: early)
            } else {
                start(request, over: transport)
            }
        }
    }

    private func start(_ request: EncodedRequest, over transport: any Transport) {
        let exchange = transport.send(request, to: self)
        let isOver = state.withLock { state in
            if !state.isOver { state.exchange = exchange }
            return state.isOver
        }
        if isOver { exchange.cancel() }
        // So much may have come before the exchange was known here, and could be held back.
        makeRoom()
    }

    func receive(_ event: TransportEvent) {
        switch event {
        case .started:
            started()
            report?(.started)
        case .sent(let count):
            touch()
            if count == bodyLength { report?(.sent) }
            onProgress? { sentCount(count) }
        case .head(let head):
            received(head)
        case .body(let data):
            received(data)
        case .finished(let failure):
            finish(with: failure)
        }
    }

    /// When its parts began, and how many bytes of the response went to the sink, nil where it took none; whole
    /// once it is over.
    var measured: (times: AttemptTimes, sunkLength: Int64?) {
        state.withLock { ($0.times, $0.sunkLength) }
    }

    func stop(_ reason: StopReason) {
        finish(.stopped(reason))
    }

    /// Whether it is given up: the transport may still have something on its way, for nobody.
    private var isOver: Bool { state.withLock { $0.isOver } }

    private func received(_ head: ResponseHead) {
        guard !isOver else { return }
        touch { state in
            state.collector.receive(head)
            state.times.head = state.lastActivity
        }
        do {
            let content = try sink?.begin(head)
            state.withLock { state in
                state.sunkLength = content == nil ? nil : 0
                guard onProgress != nil, head.status.isSuccessful else { return }
                state.received = TransferCount(
                    receiving: head,
                    into: content,
                    since: clock.now,
                    isMain: mainDirection == .download
                )
            }
        } catch {
            fail(error)
        }
    }

    private func received(_ data: Data) {
        guard !isOver else { return }
        let now = clock.now
        let (fits, sink, isUnderWay) = state.withLock { state in
            state.lastActivity = now
            state.received?.count += Int64(data.count)
            state.sunkLength? += Int64(data.count)
            let sink = state.sunkLength == nil ? nil : self.sink
            // As long as the exchange is not known here, it can't be held back yet.
            let isUnderWay = state.exchange == nil || state.isHeldBack
            return (sink != nil || state.collector.receive(data), sink, isUnderWay)
        }
        guard fits else { return finish(.failed(TransportError(.responseTooLarge))) }
        do {
            try sink?.write(data, beyondLimit: isUnderWay)
        } catch {
            return fail(error)
        }
        makeRoom()
        onProgress? { state.withLock { $0.received } }
    }

    /// Takes no more until a full sink has room again, where the transport can do so.
    private func makeRoom() {
        guard let sink, sink.isFull else { return }
        let exchange = state.withLock { state -> (any TransportExchange)? in
            guard !state.isHeldBack, let exchange = state.exchange else { return nil }
            state.isHeldBack = true
            return exchange
        }
        guard let exchange else { return }
        guard exchange.pause() else { return state.withLock { $0.isHeldBack = false } }
        let goOn: @Sendable () -> Void = {
            self.touch { $0.isHeldBack = false }
            exchange.resume()
        }
        if !sink.awaitRoom(goOn) { goOn() }
    }

    private func sentCount(_ count: Int64) -> TransferCount? {
        guard let bodyLength, bodyLength > 0 else { return nil }
        return TransferCount(
            direction: .upload,
            count: count,
            total: bodyLength,
            since: state.withLock { $0.times.start } ?? 0,
            isMain: mainDirection == .upload
        )
    }

    /// The transport is done with it.
    private func finish(with failure: TransportFailure?) {
        switch failure {
        case nil:
            // What was given up before, a sink that failed for one, is not whole.
            guard !isOver else { return }
            do {
                try sink?.end()
                finish(isExchangeOver: true) { state in
                    guard let head = state.collector.head else {
                        return .failed(TransportError(.malformedResponse))
                    }
                    return .response(head, body: state.collector.body)
                }
            } catch {
                fail(error)
            }
        case .cancelled: finish(isExchangeOver: true) { _ in .stopped(.cancelled) }
        case .failed(let error): finish(isExchangeOver: true) { _ in .failed(error) }
        }
    }

    /// The sink failed.
    private func fail(_ error: any Error) {
        finish(.failed(error as? TransportError ?? TransportError(.other, underlying: error)))
    }

    private func finish(_ outcome: AttemptOutcome) {
        finish(isExchangeOver: false) { _ in outcome }
    }

    /// Ends the attempt once; what comes later is too late.
    private func finish(isExchangeOver: Bool, _ outcome: (inout State) -> AttemptOutcome) {
        let now = clock.now
        let ending = state.withLock { state -> Ending? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.times.end = now
            let outcome = outcome(&state)
            if state.continuation == nil { state.earlyOutcome = outcome }
            defer {
                state.continuation = nil
                state.exchange = nil
                state.deadlineToken = nil
                state.collector = ResponseCollector(limit: 0)
            }
            return Ending(
                outcome: outcome,
                continuation: state.continuation,
                exchange: state.exchange,
                deadlineToken: state.deadlineToken
            )
        }
        guard let ending else { return }
        sink?.abandon()
        if !isExchangeOver { ending.exchange?.cancel() }
        // First, so that whoever moves the clock by hand finds nothing of it once it is over.
        if let token = ending.deadlineToken { clock.remove(token) }
        ending.continuation?.resume(returning: ending.outcome)
    }
}

// MARK: - Silence

extension Attempt {
    private func started() {
        let now = clock.now
        let token = clock.insert(self, at: limit(from: now))
        let isOver = state.withLock { state in
            state.lastActivity = now
            state.times.start = now
            if !state.isOver { state.deadlineToken = token }
            return state.isOver
        }
        if isOver { clock.remove(token) }
    }

    private func touch(_ change: (inout State) -> Void = { _ in }) {
        let now = clock.now
        state.withLock { state in
            state.lastActivity = now
            change(&state)
        }
    }

    func idleTimeoutChanged() {
        let (token, lastActivity) = state.withLock { ($0.deadlineToken, $0.lastActivity) }
        guard let token, let lastActivity else { return }
        clock.move(token, to: limit(from: lastActivity))
    }

    func deadlineReached(at now: UInt64) -> UInt64? {
        let (activity, isHeldBack) = state.withLock { ($0.lastActivity, $0.isHeldBack) }
        guard let lastActivity = isHeldBack ? now : activity else { return nil }
        let limit = limit(from: lastActivity)
        guard limit <= now else { return limit }
        finish(.idleTimeout)
        return nil
    }

    private func limit(from time: UInt64) -> UInt64 {
        let (limit, overflow) = time.addingReportingOverflow(idleTimeout().clampedNanoseconds)
        return overflow ? .max : limit
    }
}
