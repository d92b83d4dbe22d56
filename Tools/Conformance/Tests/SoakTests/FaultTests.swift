import NetKit
import Testing

@testable import Soak

@Suite("Fault")
struct FaultTests {
    @Test("survives its header field", arguments: Fault.Kind.allCases)
    func field(kind: Fault.Kind) {
        let fault = Fault(kind, .once, bytes: 12)
        #expect(Fault(fault.value) == fault)
    }

    @Test(
        "isn't read from another field",
        arguments: ["", "cut", "cut once", "cut never 3", "x once 3"]
    )
    func otherFields(text: String) {
        #expect(Fault(text) == nil)
    }

    @Test("explains a failure only if it lasts, can't be retried, or is silent")
    func outcomes() {
        #expect(!Fault(.cut, .once).mayFail)
        #expect(Fault(.cut, .once).maySucceed)
        #expect(Fault(.cut, .always).mayFail)
        #expect(!Fault(.cut, .always).maySucceed)
        #expect(Fault(.malformed, .once).mayFail)
        #expect(Fault(.stall, .once).mayFail)
        #expect(!Fault(.drip, .always).mayFail)
        #expect(Fault(.drip, .always).maySucceed)
    }

    @Test("explains only its own failures: no fault but a closed connection loses one")
    func failures() {
        let losing = Fault.Kind.allCases.filter {
            Fault($0, .always).failures.contains(.transport(.connectionLost))
        }
        #expect(losing == [.close, .reset])
    }
}
