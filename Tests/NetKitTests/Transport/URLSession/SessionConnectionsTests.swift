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

    @Test("forgets calls cancelled while a connection was busy")
    func manyLeave() {
        var slots = SessionConnections<Origin, Int>()
        _ = slots.take(origin, limit: 1, orWait: 0)
        let tickets = (1...1_000).compactMap { slots.take(origin, limit: 1, orWait: $0) }
        for ticket in tickets.dropLast() { _ = slots.leave(ticket) }
        #expect(slots.give(back: origin) == 1_000)
        #expect(slots.give(back: origin) == nil)
        #expect(slots.isEmpty)
    }
}
