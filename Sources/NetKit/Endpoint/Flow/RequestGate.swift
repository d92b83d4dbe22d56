/// Lets requests of an endpoint go when there is a place for them.
///
/// In front of the transport's own queue, so that priorities count and a host's wish to be left alone is
/// heeded by all calls.
final class RequestGate: Sendable {
    typealias Limits = AdmissionQueue<Waiter>.Limits

    /// Somebody who waits for a place.
    final class Waiter: Sendable {
        fileprivate let wait = Wait()
        fileprivate let isAdmitted = Locked(false)

        fileprivate func admit() {
            isAdmitted.withLock { $0 = true }
            wait.finish()
        }
    }

    private struct State {
        var queue = AdmissionQueue<Waiter>()
        var limits = Limits(total: 64, perHost: 6)
        /// When the clock asks, if it does.
        var alarm: (token: DeadlineClock.Token, time: UInt64)?
    }

    private let clock: DeadlineClock
    private let state: Locked<State>

    init(clock: DeadlineClock, perHost: Int) {
        self.clock = clock
        var state = State()
        state.limits.perHost = max(1, perHost)
        self.state = Locked(state)
    }

    /// How many requests may be under way.
    var limits: Limits { state.withLock { $0.limits } }

    /// Changes the limits; who waits may go at once, and nobody who is under way is touched.
    func changeLimits(_ change: (inout Limits) -> Void) {
        state.withLock { change(&$0.limits) }
        admit()
    }

    /// Waits for a place; ``leave(_:)`` gives it back.
    ///
    /// - Parameters:
    ///   - origin: Where the request goes.
    ///   - priority: Whom it may overtake.
    ///   - control: Ends the waiting when the call is stopped.
    /// - Returns: Whether there is a place; false if the call was stopped.
    func enter(
        _ origin: Origin,
        _ priority: RequestPriority,
        control: CallControl
    ) async -> Bool {
        let waiter = Waiter()
        let ticket = state.withLock { state in
            state.queue.enter(waiter, to: origin, priority: priority, at: clock.now, state.limits)
        }
        guard let ticket else { return true }
        // Those who wait may wait for another host.
        admit()
        await waiter.wait.run(control)
        if waiter.isAdmitted.withLock({ $0 }) { return true }
        if !state.withLock({ $0.queue.cancel(ticket) }) { leave(origin) }
        return false
    }

    /// A request has ended.
    func leave(_ origin: Origin) {
        state.withLock { $0.queue.leave(origin) }
        admit()
    }

    /// A host wants to be left alone for so long.
    func pause(_ origin: Origin, for delay: Duration) {
        let time = clock.now &+ delay.clampedNanoseconds
        state.withLock { $0.queue.pause(origin, until: time) }
    }

    private func admit() {
        let admitted = state.withLock { $0.queue.admit(at: clock.now, $0.limits) }
        for waiter in admitted { waiter.admit() }
        setAlarm()
    }

    /// Has the clock ask when the next host may be asked again.
    private func setAlarm() {
        let now = clock.now
        let (old, next) = state.withLock { state -> (DeadlineClock.Token?, UInt64?) in
            let next = state.queue.nextOpening(after: now)
            guard next != state.alarm?.time else { return (nil, nil) }
            defer { state.alarm = nil }
            return (state.alarm?.token, next)
        }
        if let old { clock.remove(old) }
        guard let next else { return }
        let token = clock.insert(self, at: next)
        state.withLock { $0.alarm = (token, next) }
    }
}

extension RequestGate: DeadlineOwner {
    func deadlineReached(at now: UInt64) -> UInt64? {
        state.withLock { $0.alarm = nil }
        admit()
        return nil
    }
}
