/// The pure part of ``DeadlineClock``: which deadlines there are and when to look next.
///
/// Times are nanoseconds on one monotonic clock. A deadline may move later without the table being
/// told, which is what makes an idle timeout cheap: when its time comes its owner is asked, and a
/// deadline that moved meanwhile goes back into the table.
package struct DeadlineTable<Owner> {
    /// Names one deadline for as long as it is in the table.
    package struct Token: Equatable, Sendable {
        fileprivate let handle: Heap<UInt64, Owner>.Handle
    }

    private var deadlines = Heap<UInt64, Owner>()
    /// When the timer is set to go off, nil when it is not set.
    private(set) var armedTime: UInt64?

    /// How many deadlines the table holds.
    var count: Int { deadlines.count }

    /// Adds a deadline.
    ///
    /// - Parameters:
    ///   - time: When to ask the owner.
    ///   - owner: Whom to ask.
    /// - Returns: The deadline's token, and the time to set the timer to if that is earlier than
    ///   what it is set to.
    mutating func insert(at time: UInt64, owner: Owner) -> (token: Token, timer: UInt64?) {
        let handle = deadlines.insert(owner, at: time)
        return (Token(handle: handle), armIfEarlier(time))
    }

    /// Moves a deadline; a token that is not in the table is left alone.
    ///
    /// - Parameters:
    ///   - token: The deadline's token.
    ///   - time: When to ask its owner now.
    /// - Returns: The time to set the timer to, if that is earlier than what it is set to.
    mutating func move(_ token: Token, to time: UInt64) -> UInt64? {
        deadlines.move(token.handle, to: time) ? armIfEarlier(time) : nil
    }

    /// Removes a deadline.
    ///
    /// The timer stays as it is: going off for nothing costs less than setting it.
    mutating func remove(_ token: Token) {
        deadlines.remove(token.handle)
    }

    /// Takes note that the timer went off, and gives those whose time has come, the earliest first.
    ///
    /// They stay in the table until they are moved or removed; ``rearm()`` comes after that. Until
    /// then the timer counts as set to the earliest time there is, so that nobody else sets it.
    mutating func due(at now: UInt64) -> [(token: Token, owner: Owner)] {
        armedTime = 0
        return deadlines.elements(through: now).map { (Token(handle: $0.handle), $0.element) }
    }

    /// The time to set the timer to after ``due(at:)``, nil when nothing is left to wait for.
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
