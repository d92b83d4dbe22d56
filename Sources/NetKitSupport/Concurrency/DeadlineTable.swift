/// An object that a clock calls when a deadline is reached.
package protocol DeadlineOwner: AnyObject, Sendable {
    /// Handles a deadline, or postpones it.
    ///
    /// - Parameter now: The clock's time, in nanoseconds.
    /// - Returns: The time of the next call, or nil if the deadline is handled.
    func deadlineReached(at now: UInt64) -> UInt64?
}

/// The deadlines of a clock, as a pure value.
///
/// Times are nanoseconds on one monotonic clock. An owner can postpone its deadline without updating the table, which
/// makes idle timeouts cheap. At the old time, the clock calls the owner, and the owner returns the new time.
package struct DeadlineTable {
    /// An identifier of a deadline, valid while it is in the table.
    package struct Token: Equatable, Sendable {
        fileprivate let handle: Heap<UInt64, any DeadlineOwner>.Handle
    }

    private var deadlines = Heap<UInt64, any DeadlineOwner>()
    /// The time at which the timer fires, or nil if it isn't set.
    private var armedTime: UInt64?

    package init() {}

    /// The number of deadlines.
    package var count: Int { deadlines.count }

    /// Adds a deadline.
    ///
    /// - Parameters:
    ///   - time: The time of the deadline.
    ///   - owner: The owner to call.
    /// - Returns: The deadline's token, and the new time for the timer if it must fire earlier.
    package mutating func insert(
        at time: UInt64,
        owner: any DeadlineOwner
    ) -> (token: Token, timer: UInt64?) {
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
    package mutating func move(_ token: Token, to time: UInt64) -> UInt64? {
        deadlines.move(token.handle, to: time) ? armIfEarlier(time) : nil
    }

    /// Removes a deadline.
    ///
    /// The timer is unchanged, because firing it for nothing costs less than setting it.
    package mutating func remove(_ token: Token) {
        deadlines.remove(token.handle)
    }

    /// Records that the timer fired, and returns the deadlines that are due, earliest first.
    ///
    /// They stay in the table until they are moved or removed. Call ``rearm()`` afterward. Until then, the timer counts
    /// as set to time 0, so that no other thread sets it.
    package mutating func due(at now: UInt64) -> [(token: Token, owner: any DeadlineOwner)] {
        armedTime = 0
        return deadlines.elements(through: now).map { (Token(handle: $0.handle), $0.element) }
    }

    /// Returns the next time for the timer after ``due(at:)``, or nil without deadlines.
    package mutating func rearm() -> UInt64? {
        armedTime = deadlines.firstKey
        return armedTime
    }

    private mutating func armIfEarlier(_ time: UInt64) -> UInt64? {
        if let armedTime, armedTime <= time { return nil }
        armedTime = time
        return time
    }
}
