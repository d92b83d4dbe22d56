import Foundation
package import NetKitSupport

/// A reason for stopping a call from outside.
package enum StopReason: Hashable, Sendable {
    case cancelled
    /// The call reached its total timeout.
    case totalDeadline(Duration?)
    /// The endpoint accepts no new calls.
    case shutDown
}

/// A step of a call that can be stopped.
protocol Stoppable: AnyObject, Sendable {
    /// Ends the step with `reason`, or does nothing if it has ended.
    func stop(_ reason: StopReason)
    /// Applies a change of the call's idle timeout.
    func idleTimeoutChanged()
}

extension Stoppable {
    func idleTimeoutChanged() {}
}

/// An operation's own settings, which take precedence over the request's and the endpoint's.
package struct CallSettings: Sendable {
    var decoder: JSONDecoder?
    var idleTimeout: Duration?
    /// The count passed to `retryOnFail`, or nil if it wasn't called.
    var retries: Int?
    var deadline: Duration?
}

/// Controls one call: stops it at any step, and holds its settings.
///
/// A stop is never lost: a step that begins after it ends at once.
package final class CallControl: Sendable {
    private struct State: ~Copyable {
        var stopped: StopReason?
        /// The steps that the call is waiting for, outermost first.
        var steps: [any Stoppable] = []
        var settings = CallSettings()
        var deadlineToken: DeadlineClock.Token?
        /// The deadline of the call, by its clock.
        var deadline: UInt64?
        /// The total timeout that the deadline comes from.
        var limit: Duration?
        /// Whether the call has ended, and gets no other deadline.
        var isOver = false
        var history: [AttemptTrace] = []
        /// The number of attempts that began.
        var attempts = 0
        var idempotencyKey: String?
        /// Returns the calls that wait for a shared transfer; nil for a call's own.
        var members: (@Sendable () -> [CallControl])?

        mutating func removeDeadline(from clock: DeadlineClock) {
            if let token = deadlineToken { clock.remove(token) }
            (deadlineToken, deadline, limit) = (nil, nil, nil)
        }
    }

    /// The stop and the steps.
    private let state: Locked<State>
    /// The settings, the deadline and the history, which a branch shares with its call.
    private let record: Locked<State>
    let clock: DeadlineClock
    private let startTime: UInt64

    package init(clock: DeadlineClock, settings: CallSettings = CallSettings()) {
        self.clock = clock
        startTime = clock.now
        var state = State()
        state.settings = settings
        self.state = Locked(state)
        record = self.state
    }

    private init(branchOf call: CallControl) {
        (clock, startTime, record) = (call.clock, call.startTime, call.record)
        state = Locked(State())
    }

    /// The reason for the stop, or nil if the call wasn't stopped.
    package var stopped: StopReason? { state.withLock { $0.stopped } }

    var settings: CallSettings { record.withLock { $0.settings } }

    /// The deadline of the call, or nil for none.
    ///
    /// For a shared transfer, that is the last one of the calls that wait for it.
    var deadline: UInt64? {
        let (own, members) = record.withLock { ($0.deadline, $0.members) }
        guard let members else { return own }
        var last: UInt64?
        for member in members() where member.stopped == nil {
            guard let deadline = member.deadline else { return nil }
            last = max(last ?? 0, deadline)
        }
        return last
    }

    /// Sets the calls that wait for the shared transfer of this control.
    func share(among members: @escaping @Sendable () -> [CallControl]) {
        record.withLock { $0.members = members }
    }

    /// The traces of the attempts so far.
    var history: [AttemptTrace] { record.withLock { $0.history } }

    /// Begins an attempt, and returns its number, starting at 1.
    func beginAttempt() -> Int {
        record.withLock { state in
            state.attempts += 1
            return state.attempts
        }
    }

    /// The number that the next attempt would have.
    var nextAttempt: Int { record.withLock { $0.attempts + 1 } }

    /// The `Idempotency-Key` of the call, the same for all its attempts.
    var idempotencyKey: String {
        record.withLock { state in
            let key = state.idempotencyKey ?? UUID().uuidString
            state.idempotencyKey = key
            return key
        }
    }

    /// Adds the trace of an attempt.
    ///
    /// - Parameter trace: The trace.
    /// - Returns: The history including the trace.
    func note(_ trace: AttemptTrace) -> [AttemptTrace] {
        record.withLock { state in
            state.history.append(trace)
            return state.history
        }
    }

    /// Notes that an interceptor sends a request after the attempt that seemed to be the last.
    func noteSentAgain() {
        record.withLock { state in
            guard let last = state.history.indices.last else { return }
            state.history[last].next = .interceptor
        }
    }

    /// Notes that the call was stopped in the delay after an attempt that was to be retried.
    func noteStoppedDelay() {
        record.withLock { state in
            // If an interceptor sends two requests at once, the last attempt may be the other one's.
            let index = state.history.lastIndex { trace in
                if case .retry = trace.next { true } else { false }
            }
            if let index { state.history[index].next = .stop(.callEnded) }
        }
    }

    /// Takes over the history of the transfer that the call shared.
    func adopt(_ history: [AttemptTrace]) {
        record.withLock { $0.history = history }
    }

    func update(_ change: @Sendable (inout CallSettings) -> Void) {
        // A replaced decoder is released outside of the lock: what it holds may use the call as it is released.
        let before = record.withLock { state in
            let before = state.settings
            change(&state.settings)
            return before
        }
        withExtendedLifetime(before) {}
        idleTimeoutChanged()
    }

    func idleTimeoutChanged() {
        for step in state.withLock({ $0.steps }) { step.idleTimeoutChanged() }
    }

    /// Stops the call.
    ///
    /// Only the first reason counts.
    func stop(_ reason: StopReason) {
        let steps = state.withLock { state -> [any Stoppable] in
            guard state.stopped == nil else { return [] }
            state.stopped = reason
            return state.steps
        }
        for step in steps.reversed() { step.stop(reason) }
    }

    /// Enters a step, within the current steps.
    ///
    /// If the call was stopped already, the step is stopped at once.
    func enter(_ step: any Stoppable) {
        let stopped = state.withLock { state in
            state.steps.append(step)
            return state.stopped
        }
        if let stopped { step.stop(stopped) }
    }

    /// Leaves a step.
    func leave(_ step: any Stoppable) {
        state.withLock { state in
            guard let index = state.steps.lastIndex(where: { $0 === step }) else { return }
            state.steps.remove(at: index)
        }
    }

    /// Runs a part of the call that ends alone if the task that awaits it is canceled.
    ///
    /// - Parameter body: The part, which receives the control to use in place of this one.
    /// - Returns: The value of the part.
    func branch<Value: Sendable>(_ body: (CallControl) async -> Value) async -> Value {
        let branch = CallControl(branchOf: self)
        enter(branch)
        defer { leave(branch) }
        return await withTaskCancellationHandler {
            await body(branch)
        } onCancel: {
            // A stop of the call cancels the task, too, and may do so first.
            branch.stop(stopped ?? .cancelled)
        }
    }

    /// Limits the duration of the call since its creation.
    ///
    /// It is scheduled under the lock, so that no earlier one remains. The clock never calls its owners under its own lock.
    ///
    /// - Parameters:
    ///   - limit: The limit, or nil for none.
    ///   - isDefault: Whether the call's own deadline takes precedence. Defaults to false.
    package func setDeadline(_ limit: Duration?, isDefault: Bool = false) {
        let passed = record.withLock { state -> Duration? in
            let limit = isDefault ? state.settings.deadline ?? limit : limit
            state.removeDeadline(from: clock)
            guard let limit, !state.isOver else { return nil }
            state.limit = limit
            let (time, overflow) = startTime.addingReportingOverflow(limit.clampedNanoseconds)
            guard !overflow else { return nil }
            (state.deadlineToken, state.deadline) = (clock.insert(self, at: time), time)
            return time <= clock.now ? limit : nil
        }
        // A clock that is moved by hand doesn't tell of a time that has passed.
        if let passed { stop(.totalDeadline(passed)) }
    }

    /// Removes the deadline of the call, which has ended.
    package func endDeadline() {
        record.withLock { state in
            state.isOver = true
            state.removeDeadline(from: clock)
        }
    }
}

extension CallControl {
    /// Waits for a delay.
    ///
    /// Canceling the task stops the call, which ends the wait.
    ///
    /// - Parameter delay: The length of the wait.
    /// - Returns: The reason for which the call was stopped, at any time; nil if it wasn't.
    @discardableResult
    package func pause(for delay: Duration) async -> StopReason? {
        await withTaskCancellationHandler {
            await wait(for: delay)
        } onCancel: {
            stop(.cancelled)
        }
        return stopped
    }

    /// Waits until `duration` has passed since `start`, which is now by default, or the call is stopped.
    @inline(never)
    func wait(for duration: Duration, since start: UInt64? = nil) async {
        guard duration > .zero, !clock.skip(duration) else { return }
        await Wait().run(self, atMost: duration, since: start, clock: clock)
    }

    /// Whether the current task runs code of a call, so that its requests belong to that call.
    @TaskLocal static var runsCode = false

    /// Runs user code, which may ignore cancellation, in a new task until the code or the call ends.
    ///
    /// - Parameter code: The code to run, with the caller's task-local values. A stop of the call ends the wait at once,
    ///   cancels the task, and discards its result.
    /// - Returns: The result of the code, or the failure of the call.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    package func run<Value: Sendable>(
        _ code: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, CallFailure> {
        let result = Locked<Result<Value, CallFailure>?>(nil)
        let wait = Wait()
        let task = Task {
            let value: Result<Value, CallFailure>
            do {
                value = .success(try await Self.$runsCode.withValue(true, operation: code))
            } catch {
                value = .failure(CallFailure(thrown: error))
            }
            result.withLock { $0 = value }
            wait.finish()
        }
        await wait.run(self)
        if let value = result.withLock({ $0 }) { return value }
        task.cancel()
        return .failure(stopped.map { CallFailure($0) } ?? .cancelled)
    }
}

/// The control of one request is a step of the work that it belongs to.
extension CallControl: Stoppable, DeadlineOwner {
    package func deadlineReached(at now: UInt64) -> UInt64? {
        stop(.totalDeadline(record.withLock { $0.limit }))
        return nil
    }
}

/// A wait that a stop cuts short.
package final class Wait: Stoppable, DeadlineOwner {
    private struct State: ~Copyable {
        var continuation: CheckedContinuation<Void, Never>?
        var isOver = false
        var isFinished = false
    }

    private let state = Locked(State())

    @inline(never)
    package init() {}

    /// Whether ``finish()`` was called, even if something else ended the wait before.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Waits like ``run(_:)``, for at most `limit`.
    @inline(never)
    package func run(
        _ control: CallControl,
        atMost limit: Duration,
        since start: UInt64? = nil,
        clock: DeadlineClock
    ) async {
        let end = DeadlineClock.time(limit, after: start ?? clock.now)
        let token = clock.insert(self, at: end)
        // The clock only reports times in the future.
        if end < .max, end <= clock.now { self.end() }
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
    package func finish() { end(isFinished: true) }

    func stop(_ reason: StopReason) { end() }

    package func deadlineReached(at now: UInt64) -> UInt64? {
        end()
        return nil
    }

    private func end(isFinished: Bool = false) {
        let continuation = state.withLock { state in
            state.isOver = true
            if isFinished { state.isFinished = true }
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }
}
