import NetKitSupport
import Testing

@testable import NetKit

@Suite("Request priorities")
struct RequestPriorityTests {
    @Test("have one line each, the higher the later")
    func lines() {
        #expect(RequestPriority.allCases.map(\.line) == Array(0..<AdmissionLimits.priorities))
        #expect([.high, .low, .normal].sorted() == RequestPriority.allCases)
    }
}
