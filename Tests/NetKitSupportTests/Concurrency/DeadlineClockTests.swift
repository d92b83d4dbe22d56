import Dispatch
import NetKitSupport
import Testing

@Suite("DeadlineClock")
struct DeadlineClockTests {
    private final class Owner: DeadlineOwner {
        func deadlineReached(at now: UInt64) -> UInt64? { nil }
    }

    @Test("counts a delay from the time at which it was added, while another thread advances it")
    func delays() {
        for _ in 0..<2000 {
            let clock = DeadlineClock(manual: ())
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 0 {
                    _ = clock.insert(Owner(), after: .seconds(1))
                } else {
                    clock.advance(by: .seconds(1))
                }
            }
            let left = clock.count
            // Only what was due before would be due now.
            clock.advance(by: .zero)
            #expect(clock.count == left)
        }
    }

    @Test("stops at the last time that it can tell")
    func end() {
        let clock = DeadlineClock(manual: ())
        for _ in 0..<3 { clock.advance(by: .seconds(Int64.max)) }
        #expect(clock.now == .max)
        _ = clock.insert(Owner(), after: .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(clock.count == 0)
    }
}
