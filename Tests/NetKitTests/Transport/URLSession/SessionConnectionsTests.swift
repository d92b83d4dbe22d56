import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Connection slots")
struct SessionConnectionsTests {
    private let origin: Origin
    private let other: Origin

    init() throws {
        let url = try #require(URL(string: "http://a.test/x"))
        let otherPort = try #require(URL(string: "http://a.test:81/x"))
        origin = try #require(Origin(url))
        other = try #require(Origin(otherPort))
    }

    @Test("grants connections up to the limit, then queues")
    func limit() {
        var slots = SessionConnections<Origin, Int>()
        #expect(slots.take(origin, limit: 2, orWait: 1) == nil)
        #expect(slots.take(origin, limit: 2, orWait: 2) == nil)
        #expect(slots.take(origin, limit: 2, orWait: 3) != nil)
        #expect(slots.take(other, limit: 2, orWait: 4) == nil)
    }

    @Test("serves waiting calls in order of arrival")
    func order() {
        var slots = SessionConnections<Origin, Int>()
        for number in 0...3 { _ = slots.take(origin, limit: 1, orWait: number) }
        #expect((0...3).map { _ in slots.give(back: origin) } == [1, 2, 3, nil])
        #expect(slots.isEmpty)
    }

    @Test("skips cancelled calls, and rejects a double or late cancellation")
    func leaving() throws {
        var slots = SessionConnections<Origin, Int>()
        _ = slots.take(origin, limit: 1, orWait: 0)
        let tickets = (1...2).compactMap { slots.take(origin, limit: 1, orWait: $0) }
        let first = try #require(tickets.first)
        let second = try #require(tickets.last)
        let leaves = [slots.leave(first), slots.leave(first)]
        #expect(leaves == [true, false])
        let next = slots.give(back: origin)
        #expect(next == 2)
        let leavesTooLate = slots.leave(second)
        #expect(!leavesTooLate)
        let last = slots.give(back: origin)
        #expect(last == nil)
        #expect(slots.isEmpty)
    }

    @Test("treats a limit below one as one")
    func noLimit() {
        var slots = SessionConnections<Origin, Int>()
        #expect(slots.take(origin, limit: 0, orWait: 1) == nil)
        #expect(slots.take(origin, limit: 0, orWait: 2) != nil)
    }

    @Test("serves those who still wait, in order of arrival, at each host apart", arguments: 1...20)
    func model(seed: UInt64) {
        var random = SplitMix(state: seed)
        var slots = SessionConnections<Int, Int>()
        // More hosts than those that are kept without a connection.
        let hosts = 0..<(seed % 2 == 0 ? 3 : 400)
        var inUse = Array(repeating: 0, count: hosts.count)
        typealias Slots = SessionConnections<Int, Int>
        var waiting: [[(ticket: Slots.Ticket, number: Int)]] = hosts.map { _ in [] }
        var left: [Slots.Ticket] = []
        for number in 0..<4000 {
            let host = Int.random(in: hosts, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where inUse[host] > 0:
                let next = slots.give(back: host)
                #expect(next == waiting[host].first?.number)
                if next == nil {
                    inUse[host] -= 1
                } else {
                    left.append(waiting[host].removeFirst().ticket)
                }
            case 1 where !waiting[host].isEmpty:
                let index = Int.random(in: waiting[host].indices, using: &random)
                let ticket = waiting[host].remove(at: index).ticket
                let hasLeft = slots.leave(ticket)
                #expect(hasLeft)
                left.append(ticket)
            case 2 where !left.isEmpty:
                let leavesAgain = left.randomElement(using: &random).map { slots.leave($0) }
                #expect(leavesAgain == false)
            default:
                let limit = Int.random(in: 1...3, using: &random)
                let ticket = slots.take(host, limit: limit, orWait: number)
                #expect((ticket == nil) == (inUse[host] < limit))
                if let ticket { waiting[host].append((ticket, number)) } else { inUse[host] += 1 }
            }
            #expect(
                slots.isEmpty == (inUse.allSatisfy { $0 == 0 } && waiting.allSatisfy(\.isEmpty))
            )
        }
    }
}
