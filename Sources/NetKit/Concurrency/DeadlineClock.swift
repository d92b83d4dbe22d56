import Dispatch
package import Foundation

/// Something that a ``DeadlineClock`` asks when its time has come.
package protocol DeadlineOwner: AnyObject, Sendable {
    /// The time has come: do what is due, or say when to ask again.
    ///
    /// - Parameter now: The clock's time.
    /// - Returns: When to ask again, nil if the deadline is over and done with.
    func deadlineReached(at now: UInt64) -> UInt64?
}

/// Tells any number of owners when their time has come, with one timer for all of them.
///
/// A call that ends before its deadline costs two updates of a heap and never touches the timer.
package final class DeadlineClock: Sendable {
    package typealias Token = DeadlineTable<any DeadlineOwner>.Token

    /// The clock of everything that is not given one of its own.
    package static let shared = DeadlineClock()

    private struct State {
        var table = DeadlineTable<any DeadlineOwner>()
        /// Nil for a clock that is moved by hand.
        let timer: (any DispatchSourceTimer)?
        /// The time of a clock that is moved by hand.
        var time: UInt64 = 0
        /// The delays that took no time, of a clock that skips them.
        var skippedDelays: [Duration] = []

        /// Sets the timer; under the lock, so that the earliest time is the last one set.
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
    private let skipsDelays: Bool
    /// The time of day at which a clock that is moved by hand begins.
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

    /// Creates a clock whose time goes by ``advance(by:)`` alone, for tests.
    ///
    /// - Parameters:
    ///   - manual: Nothing.
    ///   - skipsDelays: Whether a delay, such as that before a retry, moves the clock instead of waiting.
    package init(manual: Void, skippingDelays skipsDelays: Bool = false) {
        state = Locked(State(timer: nil))
        isManual = true
        self.skipsDelays = skipsDelays
    }

    deinit {
        state.withLock { $0.timer?.cancel() }
    }

    /// Nanoseconds on the monotonic clock, or since the making of a clock that is moved by hand.
    package var now: UInt64 {
        isManual ? state.withLock { $0.time } : DispatchTime.now().uptimeNanoseconds
    }

    /// The time of day; a clock that is moved by hand moves it too.
    package var date: Date {
        isManual ? startDate.addingTimeInterval(Double(now) / 1_000_000_000) : Date()
    }

    /// The time since `start`, in nanoseconds on this clock.
    func elapsed(since start: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: now - start))
    }

    /// The delays that were skipped, in order.
    package var skippedDelays: [Duration] { state.withLock { $0.skippedDelays } }

    /// Moves the clock by a delay if it skips delays.
    ///
    /// - Returns: Whether the delay is over.
    func skip(_ delay: Duration) -> Bool {
        guard skipsDelays else { return false }
        state.withLock { $0.skippedDelays.append(delay) }
        advance(by: delay)
        return true
    }

    /// Lets time go by on a clock that is moved by hand; asks everybody whose time has come.
    package func advance(by duration: Duration) {
        state.withLock { $0.time += duration.clampedNanoseconds }
        timerFired()
    }

    /// How many deadlines are set.
    package var count: Int { state.withLock { $0.table.count } }

    /// Asks `owner` at `time`, or as soon after it as the system wakes us (about a millisecond).
    package func insert(_ owner: any DeadlineOwner, at time: UInt64) -> Token {
        state.withLock { state in
            let (token, timerTime) = state.table.insert(at: time, owner: owner)
            state.arm(timerTime)
            return token
        }
    }

    /// Asks the owner of `token` at `time` instead.
    package func move(_ token: Token, to time: UInt64) {
        state.withLock { state in state.arm(state.table.move(token, to: time)) }
    }

    /// Forgets a deadline; its owner may be asked once more if it is being asked just now.
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

extension Duration {
    /// Whole nanoseconds, between 0 and about 292 years: what any deadline can be added to.
    package var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 9_000_000_000 else { return 9_000_000_000_000_000_000 }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
