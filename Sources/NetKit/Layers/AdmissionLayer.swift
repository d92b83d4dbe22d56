import Foundation
import NetKitSupport

/// Waits for a connection slot, by priority, and for the end of a host's pause.
struct AdmissionLayer: Layer {
    let gate: RequestQueue
    /// The layer of the exchange, which is stored in place.
    let next: ExchangeLayer

    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        var (request, call) = (request, call)
        let kind = kind(of: call)
        request.kind = kind
        call.queuedTime = call.clock.now
        if call.reporter != nil { call.queuedDate = Date() }
        guard let origin = request.origin else { return await next.send(request, in: call) }
        guard await gate.enter(origin, kind, call.plan.priority, control: call.control) else {
            let reason = call.control.stopped ?? .cancelled
            return AttemptResult(request, failure: CallFailure(reason))
        }
        defer { gate.leave(origin, kind) }
        return await next.send(request, in: call)
    }

    /// Returns the kind of exchange, which selects the limits.
    ///
    /// Other calls wait for a refresh, and a stream may last for hours.
    private func kind(of call: CallContext) -> ExchangeKind {
        guard !SharedWork.isInRefresh else { return .refresh }
        return call.plan.isStream ? .stream : .call
    }
}

/// The queue of an endpoint's requests.
///
/// It precedes the transport's queue, to apply priorities and hosts' pauses. Each kind of exchange has its own queue
/// and limits. Streams therefore never delay calls, and a refresh waits only for a host's pause.
final class RequestQueue: Sendable {
    private struct State: ~Copyable {
        /// The queues by the raw values of their kinds.
        let queues: [AdmissionQueue]
        /// The clock's next callback, if any.
        var alarm: (token: DeadlineClock.Token, time: UInt64)?
    }

    private let clock: DeadlineClock
    private let state: Locked<State>

    init(clock: DeadlineClock, perHost: Int) {
        self.clock = clock
        let calls = AdmissionLimits(total: 64, perHost: max(1, perHost))
        let streams = AdmissionLimits(total: .max, perHost: 32)
        let refreshes = AdmissionLimits(total: .max, perHost: .max)
        state = Locked(State(queues: [calls, streams, refreshes].map { AdmissionQueue($0) }))
    }

    /// Returns the limits on requests of a kind in flight.
    func limits(of kind: ExchangeKind) -> AdmissionLimits {
        state.withLock { $0.queues[kind.rawValue].limits }
    }

    /// Returns the number of queued requests of a kind.
    func queued(_ kind: ExchangeKind) -> Int {
        state.withLock { $0.queues[kind.rawValue].queued }
    }

    /// Changes the limits.
    ///
    /// Queued requests may start at once, and requests in flight continue.
    func changeLimits(of kind: ExchangeKind, _ change: (inout AdmissionLimits) -> Void) {
        self.change(kind) { change(&$0.limits) }
    }

    /// Waits until the request may start.
    ///
    /// Call ``leave(_:_:)`` when it ends.
    ///
    /// - Parameters:
    ///   - origin: The destination of the request.
    ///   - kind: The kind of exchange.
    ///   - priority: The priority of the request.
    ///   - control: The call's control, which ends the wait when the call is stopped.
    /// - Returns: Whether the request may start, or `false` if the call was stopped.
    func enter(
        _ origin: Origin,
        _ kind: ExchangeKind,
        _ priority: RequestPriority,
        control: CallControl
    ) async -> Bool {
        let now = clock.now
        let (queued, admitted) = state.withLock { state in
            lazy var wait = Wait()
            let ticket = state.queues[kind.rawValue]
                .enter(to: origin, priority: priority.line, at: now) { wait }
            guard let ticket else {
                return (nil as (AdmissionQueue.Ticket, Wait)?, [any AdmissionWaiter]())
            }
            // A pause may have ended before the clock's callback.
            return ((ticket, wait), admit(kind, at: now, &state))
        }
        for waiter in admitted { waiter.admit() }
        guard let (ticket, wait) = queued else { return true }
        await wait.run(control)
        if wait.isFinished { return true }
        let wasQueued = state.withLock { state in
            defer { setAlarm(&state) }
            return state.queues[kind.rawValue].cancel(ticket)
        }
        if !wasQueued { leave(origin, kind) }
        return false
    }

    /// Records that a request ended.
    func leave(_ origin: Origin, _ kind: ExchangeKind) {
        change(kind) { $0.leave(origin) }
    }

    /// Pauses a host for the delay that it asked for, unless the clock skips delays.
    func pause(_ origin: Origin, for delay: Duration) {
        // The retry moves the clock to the end of the pause, but nothing moves it to the steps that follow.
        guard !clock.skipsDelays else { return }
        let now = clock.now
        let time = now &+ delay.clampedNanoseconds
        state.withLock { state in
            for queue in state.queues { queue.pause(origin, until: time, at: now) }
        }
    }

    /// Changes a queue, and starts the requests that may start then.
    private func change(_ kind: ExchangeKind, _ change: (AdmissionQueue) -> Void) {
        let now = clock.now
        let admitted = state.withLock { state in
            change(state.queues[kind.rawValue])
            return admit(kind, at: now, &state)
        }
        for waiter in admitted { waiter.admit() }
    }

    private func admit(
        _ kind: ExchangeKind,
        at now: UInt64,
        _ state: inout State
    ) -> [any AdmissionWaiter] {
        defer { setAlarm(&state) }
        return state.queues[kind.rawValue].admit(at: now)
    }

    /// Schedules the clock's callback for the end of the next pause.
    ///
    /// Called under the queue's lock, which the clock never waits for under its own lock.
    private func setAlarm(_ state: inout State) {
        let next = state.queues.lazy.compactMap { $0.nextOpening }.min()
        guard next != state.alarm?.time else { return }
        if let token = state.alarm?.token { clock.remove(token) }
        state.alarm = next.map { (clock.insert(self, at: $0), $0) }
    }
}

/// A queued request waits until it is admitted.
extension Wait: AdmissionWaiter {
    package func admit() { finish() }
}

extension RequestQueue: DeadlineOwner {
    func deadlineReached(at now: UInt64) -> UInt64? {
        let admitted = state.withLock { state in
            state.alarm = nil
            return ExchangeKind.allCases.flatMap { admit($0, at: now, &state) }
        }
        for waiter in admitted { waiter.admit() }
        return nil
    }
}
