import Testing

@testable import NetKitSupport

@Suite("Deadline table")
struct DeadlineTableTests {
    private final class Named: DeadlineOwner {
        let name: String

        init(_ name: String) {
            self.name = name
        }

        func deadlineReached(at now: UInt64) -> UInt64? { nil }
    }

    private func name(_ due: (token: DeadlineTable.Token, owner: any DeadlineOwner)) -> String? {
        (due.owner as? Named)?.name
    }

    @Test("sets the timer for the first deadline, and again only for an earlier one")
    func arming() {
        var table = DeadlineTable()
        #expect(table.insert(at: 100, owner: Named("a")).timer == 100)
        #expect(table.insert(at: 200, owner: Named("b")).timer == nil)
        #expect(table.insert(at: 100, owner: Named("b")).timer == nil)
        #expect(table.insert(at: 50, owner: Named("c")).timer == 50)
    }

    @Test("returns expired entries, and sets the timer to the earliest remaining deadline")
    func due() {
        var table = DeadlineTable()
        let first = table.insert(at: 100, owner: Named("a")).token
        _ = table.insert(at: 200, owner: Named("b"))
        let due = table.due(at: 150)
        #expect(due.map(name) == ["a"])
        table.remove(first)
        #expect(table.rearm() == 200)
        #expect(table.count == 1)
    }

    @Test("doesn't set the timer while expired entries are handled")
    func noDoubleArming() {
        var table = DeadlineTable()
        let token = table.insert(at: 100, owner: Named("a")).token
        _ = table.due(at: 100)
        #expect(table.insert(at: 120, owner: Named("b")).timer == nil)
        #expect(table.move(token, to: 110) == nil)
        #expect(table.rearm() == 110)
    }

    @Test("checks a moved deadline again at its later time")
    func moving() {
        var table = DeadlineTable()
        let token = table.insert(at: 100, owner: Named("a")).token
        #expect(table.due(at: 100).map(name) == ["a"])
        _ = table.move(token, to: 300)
        #expect(table.rearm() == 300)
        #expect(table.due(at: 299).count == 0)
        _ = table.rearm()
        #expect(table.due(at: 300).map(name) == ["a"])
    }

    @Test("returns expired entries in order of their deadlines")
    func order() {
        var table = DeadlineTable()
        for time in [30, 10, 40, 20, 50] {
            _ = table.insert(at: UInt64(time), owner: Named("\(time)"))
        }
        #expect(table.due(at: 40).map(name) == ["10", "20", "30", "40"])
        #expect(table.count == 5)
    }

    @Test("sets no timer when empty, and sets one again afterwards")
    func emptying() {
        var table = DeadlineTable()
        let token = table.insert(at: 100, owner: Named("a")).token
        table.remove(token)
        #expect(table.due(at: 100).count == 0)
        #expect(table.rearm() == nil)
        #expect(table.insert(at: 500, owner: Named("b")).timer == 500)
    }

    @Test("ignores a removed token")
    func unknownToken() {
        var table = DeadlineTable()
        let token = table.insert(at: 100, owner: Named("a")).token
        table.remove(token)
        #expect(table.move(token, to: 10) == nil)
        #expect(table.count == 0)
    }

    @Test(
        "converts any duration to nanoseconds without overflow",
        arguments: [
            (Duration.milliseconds(250), UInt64(250_000_000)),
            (.zero, 0),
            (.seconds(-5), 0),
            (.seconds(Int64.max), 9_000_000_000_000_000_000),
            (.seconds(1e20), 9_000_000_000_000_000_000), (.seconds(-1e20), 0),
        ]
    )
    func nanoseconds(duration: Duration, expected: UInt64) {
        #expect(duration.clampedNanoseconds == expected)
    }
}
