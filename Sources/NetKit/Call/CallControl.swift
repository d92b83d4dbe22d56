import Foundation

/// Why a call was stopped from outside.
enum StopReason: Hashable, Sendable {
    case cancelled
    /// The call reached its total timeout.
    case totalDeadline(Duration?)
}

/// Something a call waits for, and that can be told to stop.
protocol Stoppable: AnyObject, Sendable {
    /// Ends the waiting with `reason`; nothing if it is over already.
    func stop(_ reason: StopReason)
    /// The call's idle timeout was changed.
    func idleTimeoutChanged()
}

extension Stoppable {
    func idleTimeoutChanged() {}
}

/// What one operation says itself, above the request and the endpoint.
struct CallSettings: Sendable {
    var decoder: JSONDecoder?
    var idleTimeout: Duration?
    /// The count of `retryOnFail`, nil where it was not called.
    var retries: Int?
    var deadline: Duration?
}

/// The reins of one call: stops it, whatever it is waiting for, and holds its own settings.
///
/// A stop is never lost: it is remembered, and the next thing the call would wait for ends at once.
final class CallControl: Sendable {
    private struct State {
        var stopped: StopReason?
        /// What the call waits for: one step, and those around it.
        var steps: [any Stoppable] = []
        var settings = CallSettings()
        var deadlineToken: DeadlineClock.Token?
        /// When the whole call has to be over, on its clock.
        var deadline: UInt64?
        /// The total timeout that the deadline comes from.
        var limit: Duration?
        var history: [AttemptTrace] = []
    }

    private let state: Locked<State>
    private let clock: DeadlineClock
    private let startTime: UInt64

    init(clock: DeadlineClock, settings: CallSettings = CallSettings()) {
        self.clock = clock
        startTime = clock.now
        var state = State()
        state.settings = settings
        self.state = Locked(state)
    }

    /// Why the call was stopped, nil if it was not.
    var stopped: StopReason? { state.withLock { $0.stopped } }

    var settings: CallSettings { state.withLock { $0.settings } }

    /// When the whole call has to be over, nil for never.
    var deadline: UInt64? { state.withLock { $0.deadline } }

    /// What became of the attempts so far.
    var history: [AttemptTrace] { state.withLock { $0.history } }

    /// Adds what became of an attempt.
    ///
    /// - Returns: The history with it.
    func note(_ trace: AttemptTrace) -> [AttemptTrace] {
        state.withLock { state in
            state.history.append(trace)
            return state.history
        }
    }

    func update(_ change: @Sendable (inout CallSettings) -> Void) {
        let steps = state.withLock { state in
            change(&state.settings)
            return state.steps
        }
        for step in steps { step.idleTimeoutChanged() }
    }

    /// Ends the call; the first reason counts.
    func stop(_ reason: StopReason) {
        let steps = state.withLock { state -> [any Stoppable] in
            guard state.stopped == nil else { return [] }
            state.stopped = reason
            return state.steps
        }
        for step in steps.reversed() { step.stop(reason) }
    }

    /// Says what the call waits for now, within what it waits for already.
    ///
    /// If it was stopped already, so is the step, at once.
    func enter(_ step: any Stoppable) {
        let stopped = state.withLock { state in
            state.steps.append(step)
            return state.stopped
        }
        if let stopped { step.stop(stopped) }
    }

    /// The call does not wait for `step` any more.
    func leave(_ step: any Stoppable) {
        state.withLock { state in
            guard let index = state.steps.lastIndex(where: { $0 === step }) else { return }
            state.steps.remove(at: index)
        }
    }

    /// Sets the call's own deadline, or else `limit`.
    func setDeadline(orDefault limit: Duration?) {
        state.withLock { schedule($0.settings.deadline ?? limit, &$0) }
    }

    /// Lets the whole call take `limit` from when it was made, nil for as long as it likes.
    func setDeadline(_ limit: Duration?) {
        state.withLock { schedule(limit, &$0) }
    }

    /// Under the lock, so that of two deadlines none stays behind.
    ///
    /// The clock never asks its owners under its lock.
    private func schedule(_ limit: Duration?, _ state: inout State) {
        if let token = state.deadlineToken { clock.remove(token) }
        (state.deadlineToken, state.deadline, state.limit) = (nil, nil, limit)
        guard let limit else { return }
        let (time, overflow) = startTime.addingReportingOverflow(limit.clampedNanoseconds)
        guard !overflow else { return }
        (state.deadlineToken, state.deadline) = (clock.insert(self, at: time), time)
    }
}

extension CallControl {
    /// Waits for a delay; cancelling the calling task stops the call, which ends the wait.
    func pause(for delay: Duration) async {
        await withTaskCancellationHandler {
            await Wait.pause(for: delay, control: self, clock: clock)
        } onCancel: {
            stop(.cancelled)
        }
    }
}

extension CallControl: DeadlineOwner {
    func deadlineReached(at now: UInt64) -> UInt64? {
        stop(.totalDeadline(state.withLock { $0.limit }))
        return nil
    }
}
