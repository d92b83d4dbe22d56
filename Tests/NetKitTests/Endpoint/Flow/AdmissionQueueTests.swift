import Foundation
import Testing

@testable import NetKit

@Suite("The queue of an endpoint")
struct AdmissionQueueTests {
    private typealias Queue = AdmissionQueue<String>

    private let one: Origin
    private let two: Origin
    private let limits = Queue.Limits(total: 3, perHost: 2)

    init() throws {
        one = try #require(URL(string: "http://one").flatMap { Origin($0) })
        two = try #require(URL(string: "http://two").flatMap { Origin($0) })
    }

    @Test(
        "lets as many go as there are places, in all and for a host, then first come first served"
    )
    func places() {
        var queue = Queue()
        var tickets: [Int?] = []
        for (name, origin) in [("a", one), ("b", one), ("c", one), ("d", two), ("e", two)] {
            tickets.append(queue.enter(name, to: origin, priority: .normal, at: 0, limits))
        }
        #expect(tickets == [nil, nil, 1, 2, 3])
        // Only the host of c is full.
        #expect(queue.admit(at: 0, limits) == ["d"])
        queue.leave(one)
        #expect(queue.admit(at: 0, limits) == ["c"])
        queue.leave(two)
        #expect(queue.admit(at: 0, limits) == ["e"])
        for _ in 0..<2 { queue.leave(one) }
        queue.leave(two)
        #expect(queue.isEmpty)
    }

    @Test("prefers the higher priority, and gives every fourth place to whoever waited longest")
    func priorities() {
        var queue = Queue()
        let single = Queue.Limits(total: 1, perHost: 1)
        _ = queue.enter("first", to: one, priority: .normal, at: 0, single)
        _ = queue.enter("low", to: one, priority: .low, at: 0, single)
        for index in 1...5 {
            _ = queue.enter("high \(index)", to: one, priority: .high, at: 0, single)
        }
        var order: [String] = []
        for _ in 0..<6 {
            queue.leave(one)
            order += queue.admit(at: 0, single)
        }
        #expect(order == ["high 1", "high 2", "high 3", "low", "high 4", "high 5"])
    }

    @Test("forgets who does not want to wait any more, and knows who was admitted already")
    func cancelling() {
        var queue = Queue()
        let single = Queue.Limits(total: 1, perHost: 1)
        _ = queue.enter("a", to: one, priority: .normal, at: 0, single)
        let second = queue.enter("b", to: one, priority: .normal, at: 0, single)
        let third = queue.enter("c", to: one, priority: .normal, at: 0, single)
        let isGone = second.map { queue.cancel($0) }
        #expect(isGone == true)
        queue.leave(one)
        #expect(queue.admit(at: 0, single) == ["c"])
        let isLate = third.map { queue.cancel($0) }
        #expect(isLate == false)
    }

    @Test(
        "keeps a host that wants to be left alone waiting, no other, and releases one after the other"
    )
    func pauses() {
        var queue = Queue()
        queue.pause(one, until: 1000)
        queue.pause(one, until: 500)
        _ = queue.enter("a", to: one, priority: .normal, at: 0, limits)
        _ = queue.enter("b", to: one, priority: .normal, at: 0, limits)
        _ = queue.enter("other", to: two, priority: .normal, at: 0, limits)
        #expect(queue.admit(at: 0, limits) == ["other"])
        #expect(queue.nextOpening(after: 0) == 1000)
        #expect(queue.admit(at: 999, limits).isEmpty)
        #expect(queue.admit(at: 1000, limits) == ["a"])
        let next = queue.nextOpening(after: 1000)
        #expect(next == 20_001_000)
        #expect(queue.admit(at: 20_001_000, limits) == ["b"])
        #expect(queue.nextOpening(after: 20_001_000) == nil)
    }
}
