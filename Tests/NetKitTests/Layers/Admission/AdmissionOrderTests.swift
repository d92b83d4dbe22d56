import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Admission queue")
struct AdmissionOrderTests {
    private typealias Queue = AdmissionOrder<Origin, String>

    private let one: Origin
    private let two: Origin
    private let limits = Queue.Limits(total: 3, perHost: 2)

    init() throws {
        one = try #require(URL(string: "http://one").flatMap { Origin($0) })
        two = try #require(URL(string: "http://two").flatMap { Origin($0) })
    }

    @Test(
        "admits calls up to the total and per-host limits, in order of arrival"
    )
    func places() {
        var queue = Queue(limits)
        var tickets: [Queue.Ticket?] = []
        for (name, origin) in [("a", one), ("b", one), ("c", one), ("d", two), ("e", two)] {
            tickets.append(queue.enter(name, to: origin, priority: .normal, at: 0))
        }
        // Only the host of c is full at first.
        #expect(tickets.map { $0 == nil } == [true, true, false, true, false])
        queue.leave(one)
        #expect(queue.admit(at: 0) == ["c"])
        queue.leave(two)
        #expect(queue.admit(at: 0) == ["e"])
        for _ in 0..<2 { queue.leave(one) }
        queue.leave(two)
        let later = ["f", "g", "h"]
            .map { queue.enter($0, to: $0 == "h" ? two : one, priority: .normal, at: 0) }
        #expect(later == [nil, nil, nil] && queue.queued == 0)
    }

    @Test("prefers higher priorities, and gives every fourth slot to the longest waiting call")
    func priorities() {
        var queue = Queue(Queue.Limits(total: 1, perHost: 1))
        _ = queue.enter("first", to: one, priority: .normal, at: 0)
        _ = queue.enter("low", to: one, priority: .low, at: 0)
        for index in 1...5 {
            _ = queue.enter("high \(index)", to: one, priority: .high, at: 0)
        }
        var order: [String] = []
        for _ in 0..<6 {
            queue.leave(one)
            order += queue.admit(at: 0)
        }
        #expect(order == ["high 1", "high 2", "high 3", "low", "high 4", "high 5"])
    }

    @Test("removes cancelled calls, and reports calls already admitted")
    func cancelling() {
        var queue = Queue(Queue.Limits(total: 1, perHost: 1))
        _ = queue.enter("a", to: one, priority: .normal, at: 0)
        let second = queue.enter("b", to: one, priority: .normal, at: 0)
        let third = queue.enter("c", to: one, priority: .normal, at: 0)
        let isGone = second.map { queue.cancel($0) }
        #expect(isGone == true)
        queue.leave(one)
        #expect(queue.admit(at: 0) == ["c"])
        let isLate = third.map { queue.cancel($0) }
        #expect(isLate == false)
    }

    @Test("holds calls to a paused host only, then admits them at a growing rate")
    func pauses() {
        var queue = Queue(limits)
        queue.pause(one, until: 1000, at: 0)
        queue.pause(one, until: 500, at: 0)
        #expect(queue.nextOpening == nil)
        _ = queue.enter("a", to: one, priority: .normal, at: 0)
        _ = queue.enter("b", to: one, priority: .normal, at: 0)
        let other = queue.enter("other", to: two, priority: .normal, at: 0)
        #expect(other == nil)
        #expect(queue.nextOpening == 1000)
        #expect(queue.admit(at: 999).isEmpty)
        #expect(queue.admit(at: 1000) == ["a"])
        #expect(queue.nextOpening == 20_001_000)
        #expect(queue.admit(at: 20_001_000) == ["b"])
        #expect(queue.nextOpening == nil)
    }

    /// A busy host was throttled for ever once: there was always somebody who waited.
    @Test("stops throttling a host when the calls held by its pause have finished")
    func pauseEnds() {
        var queue = Queue(Queue.Limits(total: 100, perHost: 6))
        queue.pause(one, until: 1000, at: 0)
        for index in 0..<3000 {
            _ = queue.enter("\(index)", to: one, priority: .normal, at: 0)
        }
        var now: UInt64 = 1000
        var sent = queue.admit(at: now).count
        var waits = 0
        while let opening = queue.nextOpening, waits < 10 {
            now = opening
            waits += 1
            // Others arrive all the time.
            _ = queue.enter("late", to: one, priority: .normal, at: now)
            for _ in 0..<sent { queue.leave(one) }
            sent = queue.admit(at: now).count
        }
        #expect(waits == 3)
        #expect(sent == 6)
        queue.leave(one)
        #expect(queue.admit(at: now).count == 1)
    }

    @Test("admits calls when the limits change")
    func changedLimits() {
        var queue = Queue(Queue.Limits(total: 1, perHost: 1))
        for name in ["a", "b", "c"] { _ = queue.enter(name, to: one, priority: .normal, at: 0) }
        queue.limits = Queue.Limits(total: 10, perHost: 2)
        #expect(queue.admit(at: 0) == ["b"])
        // Values below 1 count as 1.
        queue.limits = Queue.Limits(total: 0, perHost: 0)
        for _ in 0..<2 { queue.leave(one) }
        #expect(queue.admit(at: 0) == ["c"])
    }

    @Test("forgets idle hosts, but not their pauses")
    func manyHosts() throws {
        var queue = AdmissionOrder<Int, Int>(AdmissionLimits(total: 1000, perHost: 1))
        queue.pause(-1, until: 1000, at: 0)
        for host in 0..<5000 {
            let ticket = queue.enter(host, to: host, priority: .normal, at: 0)
            #expect(ticket == nil)
            queue.leave(host)
        }
        let ticket = queue.enter(0, to: -1, priority: .normal, at: 0)
        #expect(ticket != nil)
        #expect(queue.nextOpening == 1000)
    }

    @Test("admits a call at the very end of its host's pause, and not before")
    func pauseEnd() {
        for (now, isAdmitted) in [(UInt64(999), false), (1000, true), (1001, true)] {
            var queue = Queue(limits)
            queue.pause(one, until: 1000, at: 0)
            let ticket = queue.enter("a", to: one, priority: .normal, at: now)
            #expect((ticket == nil) == isAdmitted)
        }
    }
}
