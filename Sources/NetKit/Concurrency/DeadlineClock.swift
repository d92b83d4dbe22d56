import Dispatch
package import Foundation

/// An object that a ``DeadlineClock`` calls when a deadline is reached.
package protocol DeadlineOwner: AnyObject, Sendable {
    /// Handles a deadline, or postpones it.
    ///
    /// - Parameter now: The clock's time, in nanoseconds.
    /// - Returns: The time of the next call, or nil if the deadline is handled.
    func deadlineReached(at now: UInt64) -> UInt64?
}

/// A clock that calls any number of owners at their deadlines, with a single timer.
///
/// A call that finishes before its deadline costs two heap updates and no change of the timer.
package final class DeadlineClock: Sendable {
    package typealias Token = DeadlineTable<any DeadlineOwner>.Token

    /// The default clock.
    package static let shared = DeadlineClock()

    private struct State {
        var table = DeadlineTable<any DeadlineOwner>()
        /// The timer, or nil for a manual clock.
        let timer: (any DispatchSourceTimer)?
        /// The time of a manual clock, in nanoseconds.
        var time: UInt64 = 0
        /// The delays that a manual clock skipped.
        var skippedDelays: [Duration] = []

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
    private let skipsDelays: Bool
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
        isManual ? state.withLock { $0.time } : DispatchTime.now().uptimeNanoseconds
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
    func skip(_ delay: Duration) -> Bool {
        guard skipsDelays else { return false }
        state.withLock { $0.skippedDelays.append(delay) }
        advance(by: delay)
        return true
    }

    /// Advances a manual clock, and calls all owners whose deadlines are reached.
    package func advance(by duration: Duration) {
        state.withLock { $0.time += duration.clampedNanoseconds }
        timerFired()
    }

    /// The number of deadlines.
    package var count: Int { state.withLock { $0.table.count } }

    /// Adds a deadline.
    ///
    /// The owner is called at `time`, or about a millisecond later.
    package func insert(_ owner: any DeadlineOwner, at time: UInt64) -> Token {
        state.withLock { state in
            let (token, timerTime) = state.table.insert(at: time, owner: owner)
            state.arm(timerTime)
            return token
        }
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

extension Duration {
    /// The duration in whole nanoseconds, clamped to 0 … 285 years.
    package var clampedNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 9_000_000_000 else { return 9_000_000_000_000_000_000 }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}

/// The deadlines of a ``DeadlineClock``, as a pure value.
///
/// Times are nanoseconds on one monotonic clock. An owner can postpone its deadline without updating the table, which
/// makes idle timeouts cheap. At the old time, the clock calls the owner, and the owner returns the new time.
package struct DeadlineTable<Owner> {
    /// An identifier of a deadline, valid while it is in the table.
    package struct Token: Equatable, Sendable {
        fileprivate let handle: Heap<UInt64, Owner>.Handle
    }

    private var deadlines = Heap<UInt64, Owner>()
    /// The time at which the timer fires, or nil if it isn't set.
    private(set) var armedTime: UInt64?

    /// The number of deadlines.
    var count: Int { deadlines.count }

    /// Adds a deadline.
    ///
    /// - Parameters:
    ///   - time: The time of the deadline.
    ///   - owner: The owner to call.
    /// - Returns: The deadline's token, and the new time for the timer if it must fire earlier.
    mutating func insert(at time: UInt64, owner: Owner) -> (token: Token, timer: UInt64?) {
        let handle = deadlines.insert(owner, at: time)
        return (Token(handle: handle), armIfEarlier(time))
    }

    /// Moves a deadline.
    ///
    /// Does nothing if the token isn't in the table.
    ///
    /// - Parameters:
    ///   - token: The deadline's token.
    ///   - time: The new time.
    /// - Returns: The new time for the timer, if it must fire earlier.
    mutating func move(_ token: Token, to time: UInt64) -> UInt64? {
        deadlines.move(token.handle, to: time) ? armIfEarlier(time) : nil
    }

    /// Removes a deadline.
    ///
    /// The timer is unchanged, because firing it for nothing costs less than setting it.
    mutating func remove(_ token: Token) {
        deadlines.remove(token.handle)
    }

    /// Records that the timer fired, and returns the deadlines that are due, earliest first.
    ///
    /// They stay in the table until they are moved or removed. Call ``rearm()`` afterward. Until then, the timer counts
    /// as set to time 0, so that no other thread sets it.
    mutating func due(at now: UInt64) -> [(token: Token, owner: Owner)] {
        armedTime = 0
        return deadlines.elements(through: now).map { (Token(handle: $0.handle), $0.element) }
    }

    /// Returns the next time for the timer after ``due(at:)``, or nil without deadlines.
    mutating func rearm() -> UInt64? {
        armedTime = deadlines.firstKey
        return armedTime
    }

    private mutating func armIfEarlier(_ time: UInt64) -> UInt64? {
        if let armedTime, armedTime <= time { return nil }
        armedTime = time
        return time
    }
}
