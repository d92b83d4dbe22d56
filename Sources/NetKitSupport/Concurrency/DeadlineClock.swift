import Dispatch
package import Foundation

/// A clock that calls any number of owners at their deadlines, with a single timer.
///
/// A call that finishes before its deadline costs two heap updates and no change of the timer.
package final class DeadlineClock: Sendable {
    package typealias Token = DeadlineTable.Token

    /// The default clock.
    package static let shared = DeadlineClock()

    private struct State: ~Copyable {
        var table = DeadlineTable()
        /// The timer, or nil for a manual clock.
        let timer: (any DispatchSourceTimer)?
        /// The time of a manual clock, in nanoseconds.
        var time: UInt64 = 0
        /// The delays that a manual clock skipped.
        var skippedDelays: [Duration] = []

        var now: UInt64 { timer == nil ? time : DispatchTime.now().uptimeNanoseconds }

        mutating func insert(_ owner: any DeadlineOwner, at time: UInt64) -> Token {
            let (token, timerTime) = table.insert(at: time, owner: owner)
            arm(timerTime)
            return token
        }

        /// Sets the timer.
        ///
        /// The lock ensures that the earliest time is set last.
        func arm(_ time: UInt64?) {
            guard let time else { return }
            timer?
                .schedule(
                    deadline: DispatchTime(uptimeNanoseconds: time),
                    leeway: .microseconds(500)
                )
        }
    }

    private let state: Locked<State>
    private let isManual: Bool
    /// Whether a delay advances a manual clock instead of waiting.
    package let skipsDelays: Bool
    /// The date at which a manual clock starts.
    private let startDate = Date()

    init() {
        let queue = DispatchQueue(label: "NetKit.deadlines", qos: .userInitiated)
        isManual = false
        skipsDelays = false
        state = Locked(State(timer: DispatchSource.makeTimerSource(queue: queue)))
        state.withLock { state in
            state.timer?.setEventHandler { [weak self] in self?.timerFired() }
            state.timer?.activate()
        }
    }

    /// Creates a manual clock for tests, which moves only by ``advance(by:)``.
    ///
    /// - Parameters:
    ///   - manual: A placeholder that distinguishes this initializer.
    ///   - skipsDelays: Whether a delay, such as that before a retry, advances the clock instead of waiting. Defaults
    ///     to false.
    package init(manual: Void, skippingDelays skipsDelays: Bool = false) {
        state = Locked(State(timer: nil))
        isManual = true
        self.skipsDelays = skipsDelays
    }

    deinit {
        state.withLock { $0.timer?.cancel() }
    }

    /// The monotonic time in nanoseconds, or the time since the creation of a manual clock.
    package var now: UInt64 {
        isManual ? state.withLock { $0.now } : DispatchTime.now().uptimeNanoseconds
    }

    /// The current date, which a manual clock also advances.
    package var date: Date {
        isManual ? startDate.addingTimeInterval(Double(now) / 1_000_000_000) : Date()
    }

    /// Returns the time since `start`, which is in nanoseconds on this clock.
    package func elapsed(since start: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: now - start))
    }

    /// The skipped delays, in order.
    package var skippedDelays: [Duration] { state.withLock { $0.skippedDelays } }

    /// Advances the clock by a delay if it skips delays.
    ///
    /// - Returns: Whether the delay was skipped.
    package func skip(_ delay: Duration) -> Bool {
        guard skipsDelays else { return false }
        state.withLock { $0.skippedDelays.append(delay) }
        advance(by: delay)
        return true
    }

    /// Advances a manual clock, and calls all owners whose deadlines are reached.
    package func advance(by duration: Duration) {
        state.withLock { $0.time = Self.time(duration, after: $0.time) }
        timerFired()
    }

    /// The number of deadlines.
    package var count: Int { state.withLock { $0.table.count } }

    /// Adds a deadline.
    ///
    /// The owner is called at `time`, or about a millisecond later.
    package func insert(_ owner: any DeadlineOwner, at time: UInt64) -> Token {
        state.withLock { $0.insert(owner, at: time) }
    }

    /// Adds a deadline that is some time away, even if another thread advances the clock meanwhile.
    package func insert(_ owner: any DeadlineOwner, after delay: Duration) -> Token {
        state.withLock { state in
            state.insert(owner, at: Self.time(delay, after: state.now))
        }
    }

    /// Returns the time after a delay, the last one if it would be beyond it.
    package static func time(_ delay: Duration, after start: UInt64) -> UInt64 {
        let (time, isNever) = start.addingReportingOverflow(delay.clampedNanoseconds)
        return isNever ? .max : time
    }

    /// Moves the deadline of `token` to `time`.
    package func move(_ token: Token, to time: UInt64) {
        state.withLock { state in state.arm(state.table.move(token, to: time)) }
    }

    /// Removes a deadline.
    ///
    /// A call to its owner that has already begun still completes.
    package func remove(_ token: Token) {
        state.withLock { $0.table.remove(token) }
    }

    private func timerFired() {
        let now = now
        let due = state.withLock { $0.table.due(at: now) }
        for (token, owner) in due {
            if let next = owner.deadlineReached(at: now) {
                state.withLock { _ = $0.table.move(token, to: next) }
            } else {
                state.withLock { $0.table.remove(token) }
            }
        }
        state.withLock { state in state.arm(state.table.rearm()) }
    }
}
