/// How many retries a host may be sent on top of what it is sent anyway: a fifth of the calls of the last
/// ten seconds, and never less than a floor.
///
/// A server that fails under its load is not helped by twice the load. A pure value; times are nanoseconds.
struct RetryBudget: Sendable {
    private struct Second {
        var number: UInt64
        var calls = 0
        var retries = 0
    }

    /// How many calls allow for one retry.
    private static let callsARetry = 5

    /// The retries in ten seconds that are allowed however few calls there are.
    private let floor: Int
    /// The last seconds in which there was anything, ten at most.
    private var seconds: [Second] = []

    init(floor: Int = 20) {
        self.floor = floor
    }

    /// A call is made.
    mutating func call(at now: UInt64) {
        seconds[current(at: now)].calls += 1
    }

    /// Takes one retry out of the budget.
    ///
    /// - Returns: Whether there was one.
    mutating func takeRetry(at now: UInt64) -> Bool {
        let index = current(at: now)
        let calls = seconds.reduce(0) { $0 + $1.calls }
        let retries = seconds.reduce(0) { $0 + $1.retries }
        guard retries < max(floor, calls / Self.callsARetry) else { return false }
        seconds[index].retries += 1
        return true
    }

    /// Whether nothing is remembered at this time.
    func isIdle(at now: UInt64) -> Bool {
        seconds.allSatisfy { $0.number + 10 <= now / 1_000_000_000 }
    }

    /// The index of this second, once those that do not count any more are forgotten.
    private mutating func current(at now: UInt64) -> Int {
        let number = now / 1_000_000_000
        if seconds.last?.number != number {
            seconds.removeAll { $0.number + 10 <= number }
            seconds.append(Second(number: number))
        }
        return seconds.count - 1
    }
}

/// The budgets of the hosts that an endpoint talks to.
struct RetryBudgets: Sendable {
    private var budgets: [Origin: RetryBudget] = [:]
    private var schedule = SweepSchedule(minimum: 64)

    /// A call is made.
    mutating func call(_ origin: Origin, at now: UInt64) {
        if schedule.isDue(with: budgets.count) {
            budgets = budgets.filter { !$0.value.isIdle(at: now) }
            schedule.swept(leaving: budgets.count)
        }
        budgets[origin, default: RetryBudget()].call(at: now)
    }

    /// Takes one retry out of a host's budget.
    ///
    /// - Returns: Whether there was one.
    mutating func takeRetry(_ origin: Origin, at now: UInt64) -> Bool {
        budgets[origin, default: RetryBudget()].takeRetry(at: now)
    }
}
