import Testing

@testable import Soak

@Suite("Ledger")
struct LedgerTests {
    private let ledger = Ledger()

    @Test("counts one outcome for each operation by its verdict")
    func tally() {
        let verdicts: [Verdict] = [.value, .failure, .cancelled]
        for verdict in verdicts {
            let ticket = ledger.begin(.call, over: .urlSession, name: "call")
            ledger.deliver(ticket)
            ledger.end(ticket, verdict)
        }
        #expect(
            ledger.total == Tally(started: 3, values: 1, failures: 1, cancelled: 1, wrong: 0)
        )
        #expect(ledger.pending.isEmpty)
        #expect(ledger.breaches.isEmpty)
    }

    @Test("keeps an operation without an end as pending")
    func pending() {
        _ = ledger.begin(.lines, over: .asyncHTTPClient, name: "lines 7")
        #expect(ledger.pending.map(\.name) == ["lines 7"])
        #expect(ledger.total.ended == 0)
    }

    @Test("reports a second outcome, a late outcome, a second end and a wrong value")
    func breaches() {
        let ticket = ledger.begin(.call, over: .urlSession, name: "call 1")
        ledger.deliver(ticket)
        ledger.deliver(ticket)
        ledger.end(ticket, .wrong("2 for 1"))
        ledger.deliver(ticket)
        ledger.end(ticket, .value)
        #expect(
            ledger.breaches == [
                "call 1: 2 outcomes", "call 1: 2 for 1",
                "operation 1: an outcome after its end", "operation 1: a second end",
            ]
        )
        #expect(ledger.total.ended == 1)
    }
}
