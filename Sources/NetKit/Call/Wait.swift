/// A wait that a stop cuts short.
package final class Wait: Stoppable, DeadlineOwner {
    private struct State {
        var continuation: CheckedContinuation<Void, Never>?
        var isOver = false
    }

    private let state = Locked(State())

    @inline(never)
    package init() {}

    /// Waits until `duration` has passed or the call is stopped.
    ///
    /// - Parameters:
    ///   - duration: The length of the wait.
    ///   - start: The start of the wait, or nil for now. Defaults to nil.
    ///   - control: The control that can stop the wait.
    ///   - clock: The clock that measures the time.
    @inline(never)
    static func pause(
        for duration: Duration,
        since start: UInt64? = nil,
        control: CallControl,
        clock: DeadlineClock
    ) async {
        guard duration > .zero, !clock.skip(duration) else { return }
        await Wait().run(control, atMost: duration, since: start, clock: clock)
    }

    /// Waits like ``run(_:)``, for at most `limit`.
    @inline(never)
    package func run(
        _ control: CallControl,
        atMost limit: Duration,
        since start: UInt64? = nil,
        clock: DeadlineClock
    ) async {
        let (end, isNever) = (start ?? clock.now)
            .addingReportingOverflow(limit.clampedNanoseconds)
        let token = clock.insert(self, at: isNever ? .max : end)
        // The clock only reports times in the future.
        if !isNever, end <= clock.now { finish() }
        await run(control)
        clock.remove(token)
    }

    /// Waits until ``finish()`` is called or the call is stopped.
    package func run(_ control: CallControl) async {
        control.enter(self)
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.continuation = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
        control.leave(self)
    }

    /// Ends the wait.
    package func finish() {
        let continuation = state.withLock { state in
            state.isOver = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }

    func stop(_ reason: StopReason) { finish() }

    package func deadlineReached(at now: UInt64) -> UInt64? {
        finish()
        return nil
    }
}
