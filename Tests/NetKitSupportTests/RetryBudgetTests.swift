import Foundation
import Testing

@testable import NetKitSupport

@Suite("Retry budget")
struct RetryBudgetTests {
    private static let second: UInt64 = 1_000_000_000

    @Test("allows a fifth of the last ten seconds' calls")
    func share() {
        var budget = RetryBudget(floor: 0)
        for index in 0..<100 { budget.call(at: UInt64(index) * Self.second / 20) }
        let taken = (0..<100).filter { _ in budget.takeRetry(at: 5 * Self.second) }
        #expect(taken.count == 20)
    }

    @Test("allows the minimum however few calls there are, and again after ten seconds")
    func floor() {
        var budget = RetryBudget(floor: 3)
        budget.call(at: 0)
        let taken = (0..<10).map { _ in budget.takeRetry(at: 0) }
        #expect(taken.filter { $0 }.count == 3)
        let before = budget.takeRetry(at: 10 * Self.second - 1)
        #expect(!before)
        let after = budget.takeRetry(at: 10 * Self.second)
        #expect(after)
    }

    @Test("forgets calls after ten seconds")
    func forgetting() {
        var budget = RetryBudget(floor: 0)
        for _ in 0..<100 { budget.call(at: 0) }
        #expect(!budget.isIdle(at: 9 * Self.second))
        #expect(budget.isIdle(at: 10 * Self.second))
        let taken = budget.takeRetry(at: 10 * Self.second)
        #expect(!taken)
    }

    @Test("has a retry again that wasn't sent")
    func givingBack() {
        var budget = RetryBudget(floor: 1)
        let first = budget.takeRetry(at: 0)
        budget.giveBack(at: Self.second)
        let second = budget.takeRetry(at: Self.second)
        // One that no longer counts.
        budget.giveBack(at: 0)
        let third = budget.takeRetry(at: Self.second)
        #expect(first && second && !third)
    }

    @Test("is separate for each host")
    func hosts() throws {
        var budgets = RetryBudgets()
        let one = try #require(URL(string: "http://one").flatMap { Origin($0) })
        let two = try #require(URL(string: "http://two").flatMap { Origin($0) })
        budgets.call(one, at: 0)
        let taken = (0..<30).count { _ in budgets.takeRetry(one, at: 0) }
        let other = budgets.takeRetry(two, at: 0)
        #expect(taken == 20 && other)
    }

    @Test("keeps the count of a busy host among many hosts")
    func manyHosts() throws {
        var budgets = RetryBudgets()
        let busy = try #require(URL(string: "http://busy").flatMap { Origin($0) })
        for _ in 0..<20 { _ = budgets.takeRetry(busy, at: 0) }
        for number in 0..<200 {
            let other = try #require(URL(string: "http://h\(number)").flatMap { Origin($0) })
            budgets.call(other, at: Self.second)
        }
        let isAllowed = budgets.takeRetry(busy, at: Self.second)
        #expect(!isAllowed)
    }
}
