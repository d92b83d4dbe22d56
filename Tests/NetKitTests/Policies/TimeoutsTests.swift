import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Timeouts")
struct TimeoutsTests {
    @Test(
        "names its limit",
        arguments: [
            (Duration.seconds(60), "60 s"), (.milliseconds(250), "250 ms"),
            (.milliseconds(1050), "1.05 s"), (.zero, "0 s"),
        ]
    )
    func limits(limit: Duration, text: String) {
        let idle = TimeoutPhase.idle(TimeoutDetail(limit: limit))
        #expect(idle.message == "no byte received for \(text) (idle timeout; see Request.timeout)")
        let total = TimeoutPhase.total(TimeoutDetail(limit: limit))
        #expect(total.message == "not complete after \(text) (total timeout; see Timeouts.total)")
        #expect(idle.of("GET http://h/").line == "GET http://h/: \(idle.message)")
        #expect(idle.of("GET http://h/").of("other").line == "GET http://h/: \(idle.message)")
    }

    @Test("is equal to another of its kind, whatever the details")
    func phases() {
        #expect(
            TimeoutPhase.idle.message
                == "no byte received in time (idle timeout; see Request.timeout)"
        )
        #expect(
            TimeoutPhase.total.line == "not complete in time (total timeout; see Timeouts.total)"
        )
        #expect(TimeoutPhase.idle == .idle(TimeoutDetail(limit: .seconds(1))))
        #expect(TimeoutPhase.idle != .total)
        #expect(Set([TimeoutPhase.idle, .total, .idle(TimeoutDetail(limit: .zero))]).count == 2)
        #expect("\(TimeoutPhase.idle) \(TimeoutPhase.total)" == "idle total")
    }

    @Test(
        "is at least a millisecond, and without an end if it is infinite or no number",
        arguments: [
            (60.0, Duration.seconds(60)), (0.5, .milliseconds(500)), (0, .milliseconds(1)),
            (-5, .milliseconds(1)), (-1e300, .milliseconds(1)), (-.infinity, .milliseconds(1)),
            (-.greatestFiniteMagnitude, .milliseconds(1)),
            (0.0005, .milliseconds(1)), (.infinity, .seconds(9_000_000_000)),
            (.nan, .seconds(9_000_000_000)),
            (9e9, .seconds(9_000_000_000)), (1e300, .seconds(9_000_000_000)),
            (8_999_999_999, .seconds(8_999_999_999)),
        ]
    )
    func seconds(seconds: Double, duration: Duration) {
        #expect(Duration(timeout: seconds) == duration)
    }

    @Test(
        "has the same limits as a Duration",
        arguments: [
            (.milliseconds(500), .milliseconds(500)), (.zero, .milliseconds(1)),
            (.seconds(-5), .milliseconds(1)), (.microseconds(500), .milliseconds(1)),
            (.seconds(9e9), .seconds(9_000_000_000)),
            (.seconds(Int64.max), .seconds(9_000_000_000)),
        ] as [(Duration, Duration)]
    )
    func durations(limit: Duration, duration: Duration) {
        #expect(Duration(timeout: limit) == duration)
        #expect(Timeouts(idle: limit).idle == duration)
        var changed = Timeouts()
        changed.idle = limit
        #expect(changed.idle == duration)
    }
}
