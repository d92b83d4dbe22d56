/// A limit on retries to a host: a fifth of the last ten seconds' calls.
///
/// A floor applies to few calls. The limit keeps retries from doubling the load on an overloaded server. It is a pure
/// value with times in nanoseconds.
struct RetryBudget: Sendable {
    private struct Second {
        var number: UInt64
        var calls = 0
        var retries = 0
    }

    /// The number of calls per allowed retry.
    private static let callsPerRetry = 5

    /// The number of retries allowed in ten seconds, however few calls there are.
    private let floor: Int
    /// The recent seconds with activity, at most ten.
    private var seconds: [Second] = []

    init(floor: Int = 20) {
        self.floor = floor
    }

    /// Counts a call.
    mutating func call(at now: UInt64) {
        seconds[current(at: now)].calls += 1
    }

    /// Takes one retry from the budget.
    ///
    /// - Parameter now: The current time.
    /// - Returns: Whether a retry was left.
    mutating func takeRetry(at now: UInt64) -> Bool {
        let index = current(at: now)
        let calls = seconds.reduce(0) { $0 + $1.calls }
        let retries = seconds.reduce(0) { $0 + $1.retries }
        guard retries < max(floor, calls / Self.callsPerRetry) else { return false }
        seconds[index].retries += 1
        return true
    }

    /// Returns a retry that was taken at a time, but not sent.
    mutating func giveBack(at time: UInt64) {
        let number = time / 1_000_000_000
        guard let index = seconds.lastIndex(where: { $0.number <= number && $0.retries > 0 })
        else { return }
        seconds[index].retries -= 1
    }

    /// Returns whether all recorded activity is too old to count.
    func isIdle(at now: UInt64) -> Bool {
        seconds.allSatisfy { $0.number + 10 <= now / 1_000_000_000 }
    }

    /// Returns the index of the current second, after removing outdated ones.
    private mutating func current(at now: UInt64) -> Int {
        let number = now / 1_000_000_000
        if seconds.last?.number != number {
            seconds.removeAll { $0.number + 10 <= number }
            seconds.append(Second(number: number))
        }
        return seconds.count - 1
    }
}

/// The retry budgets of an endpoint's hosts.
package struct RetryBudgets: Sendable {
    private var budgets: [Origin: RetryBudget] = [:]
    private var schedule = SweepSchedule(minimum: 64)

    package init() {}

    /// Counts a call to a host.
    package mutating func call(_ origin: Origin, at now: UInt64) {
        schedule.sweep(&budgets) { $0.isIdle(at: now) }
        budgets[origin, default: RetryBudget()].call(at: now)
    }

    /// Takes one retry from a host's budget.
    ///
    /// - Parameters:
    ///   - origin: The host.
    ///   - now: The current time.
    /// - Returns: Whether a retry was left.
    package mutating func takeRetry(_ origin: Origin, at now: UInt64) -> Bool {
        budgets[origin, default: RetryBudget()].takeRetry(at: now)
    }

    /// Returns a retry to a host's budget that was taken at a time, but not sent.
    package mutating func giveBack(_ origin: Origin, at time: UInt64) {
        budgets[origin]?.giveBack(at: time)
    }
}
