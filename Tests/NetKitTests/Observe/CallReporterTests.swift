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
}
