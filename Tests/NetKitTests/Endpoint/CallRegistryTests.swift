import NetKitSupport
import Testing

@testable import NetKit

@Suite("Call registry")
struct CallRegistryTests {
    private let clock = DeadlineClock(manual: ())

    private func call() -> CallControl { CallControl(clock: clock) }

    @Test("accepts all calls until it drains, then only those within a call, then none")
    func phases() {
        var registry = CallRegistry()
        let first = call()
        var taken: [Bool] = []
        taken.append(registry.add(first, belongsToCall: false))
        let drain = registry.drain()
        taken.append(registry.add(call(), belongsToCall: false))
        taken.append(registry.add(call(), belongsToCall: true))
        let close = registry.close()
        taken.append(registry.add(call(), belongsToCall: true))
        // It stays closed, and the calls that it took before stay in it.
        let again = registry.drain()
        taken.append(registry.add(first, belongsToCall: false))
        taken.append(registry.add(call(), belongsToCall: true))
        #expect(taken == [true, false, true, false, true, false])
        #expect([drain, close, again].allSatisfy { $0 != nil })
        #expect(registry.count == 2)
    }

    @Test("has the calls in the order in which they were added first")
    func order() {
        var registry = CallRegistry()
        let calls = (0..<100).map { _ in call() }
        for call in calls + calls.reversed() { _ = registry.add(call, belongsToCall: false) }
        let found = registry.controls.map { ObjectIdentifier($0) }
        #expect(found == calls.map { ObjectIdentifier($0) })
    }

    @Test("resumes all waits once, with the last call")
    func waits() {
        var registry = CallRegistry()
        let calls = [call(), call()]
        for call in calls { _ = registry.add(call, belongsToCall: false) }
        let waits = [registry.drain(), registry.close()].compactMap { $0 }
        let finished = [calls[0], calls[1], calls[1]].map { registry.remove($0) }
        #expect(waits.count == 2 && finished[0].isEmpty && finished[2].isEmpty)
        #expect(finished[1].map { ObjectIdentifier($0) } == waits.map { ObjectIdentifier($0) })
        let none = registry.drain()
        #expect(none == nil)
    }
}
