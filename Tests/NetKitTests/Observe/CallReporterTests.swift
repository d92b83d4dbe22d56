import NetKitSupport
import Testing

@testable import NetKit

@Suite("Reports of a call")
struct CallReporterTests {
    /// Calls a closure with the name of each report.
    private struct Subscriber: CallSubscriber {
        let receive: @Sendable (String) -> Void

        func receive(_ report: CallReport, of call: CallSummary) {
            switch report {
            case .started: receive("started")
            case .sent: receive("sent")
            case .finished: receive("finished")
            default: receive("other")
            }
        }
    }

    @Test("reach every observer one after the other, those that an observer causes too")
    func nested() throws {
        let reporter = Locked<CallReporter?>(nil)
        let seen = Locked<[String]>([])
        let causing = Subscriber { name in
            seen.withLock { $0.append("1 \(name)") }
            guard name == "started" else { return }
            let reporter = reporter.withLock { $0 }
            reporter?.report(.sent)
            reporter?.report(.finished(nil))
            reporter?.report(.decoded)
        }
        let next = Subscriber { name in seen.withLock { $0.append("2 \(name)") } }
        let made = CallReporter("Request", [causing, next], DeadlineClock.shared)
        reporter.withLock { $0 = made }
        try #require(made != nil)
        made?.report(.started)
        #expect(
            seen.withLock { $0 } == [
                "1 started", "2 started", "1 sent", "2 sent", "1 finished", "2 finished",
            ]
        )
        reporter.withLock { $0 = nil }
    }

    @Test("have the time of the event, however late an observer receives it")
    func times() throws {
        let reporter = Locked<CallReporter?>(nil)
        let (reported, seen) = (Locked<ContinuousClock.Instant?>(nil), Locked<[CallEvent]>([]))
        let observation = ObservationManager()
        observation.registerEvents { event in
            seen.withLock { $0.append(event) }
            guard case .started = event.kind else { return }
            reporter.withLock { $0 }?.report(.sent)
            reported.withLock { $0 = .now }
        }
        let made = CallReporter("Request", observation.subscribers, DeadlineClock.shared)
        reporter.withLock { $0 = made }
        made?.report(.started)
        let (events, before) = (seen.withLock { $0 }, try #require(reported.withLock { $0 }))
        #expect(events.map { "\($0.kind)" } == ["started", "sent"])
        #expect(events.allSatisfy { $0.time <= before })
        reporter.withLock { $0 = nil }
    }

    @Test("set no deadline once the call has ended")
    func lateDeadline() {
        let clock = DeadlineClock(manual: ())
        let control = CallControl(clock: clock)
        control.setDeadline(.seconds(9))
        control.endDeadline()
        control.setDeadline(.seconds(86_400))
        #expect(clock.count == 0)
    }
}
