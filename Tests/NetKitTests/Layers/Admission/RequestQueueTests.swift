import Foundation
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Admission gate", .timeLimit(.minutes(15)))
struct RequestQueueTests {
    private let origin: Origin
    private let clock = DeadlineClock(manual: ())
    private let gate: RequestQueue

    init() throws {
        origin = try #require(URL(string: "http://one").flatMap { Origin($0) })
        gate = RequestQueue(clock: clock, perHost: 2)
        gate.changeLimits(of: .stream) { $0.perHost = 3 }
    }

    /// Whether a request may go now: a call that was stopped already does not wait.
    private func mayGo(_ kind: ExchangeKind) async -> Bool {
        let control = CallControl(clock: clock)
        control.stop(.cancelled)
        return await gate.enter(origin, kind, .normal, control: control)
    }

    @Test("counts calls and streams separately, and never holds a refresh")
    func kinds() async {
        for expected in [true, true, false] { #expect(await mayGo(.call) == expected) }
        for expected in [true, true, true, false] { #expect(await mayGo(.stream) == expected) }
        for _ in 0..<1000 { #expect(await mayGo(.refresh)) }
        gate.leave(origin, .stream)
        #expect(await mayGo(.call) == false)
        #expect(await mayGo(.stream))
        gate.leave(origin, .call)
        #expect(await mayGo(.call))
    }

    @Test("holds every kind of exchange to a paused host", arguments: ExchangeKind.allCases)
    func pause(kind: ExchangeKind) async {
        gate.pause(origin, for: .seconds(1))
        #expect(await mayGo(kind) == false)
        clock.advance(by: .seconds(1))
        #expect(await mayGo(kind))
    }

    @Test("holds nothing by a clock that skips delays")
    func skippedPause() async {
        let clock = DeadlineClock(manual: (), skippingDelays: true)
        let gate = RequestQueue(clock: clock, perHost: 2)
        gate.pause(origin, for: .seconds(1))
        let control = CallControl(clock: clock)
        control.stop(.cancelled)
        #expect(await gate.enter(origin, .call, .normal, control: control))
    }

    @Test("admits calls by the clock after a pause, then sets no more timers")
    func alarm() async {
        gate.changeLimits(of: .call) { $0.perHost = 100 }
        gate.pause(origin, for: .seconds(1))
        #expect(clock.count == 0)
        let admitted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<7 {
                group.addTask {
                    await gate.enter(origin, .call, .normal, control: CallControl(clock: clock))
                }
            }
            await eventually { clock.count > 0 }
            // One, two, four; the alarm is set anew for each.
            var admitted = 0
            clock.advance(by: .seconds(1))
            while let isAdmitted = await group.next() {
                if isAdmitted { admitted += 1 }
                clock.advance(by: .milliseconds(20))
            }
            return admitted
        }
        #expect(admitted == 7)
        #expect(clock.count == 0)
    }

    @Test("leaves no timer when the waiting calls are gone")
    func leftAlarm() async {
        gate.pause(origin, for: .seconds(3600))
        #expect(await mayGo(.call) == false)
        #expect(clock.count == 0)
    }
}
