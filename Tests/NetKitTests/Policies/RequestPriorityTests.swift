import Testing

@testable import NetKit

@Suite("Request priorities")
struct RequestPriorityTests {
    @Test("have one line each, the higher the later")
    func lines() {
        #expect(RequestPriority.allCases.map(\.line) == [0, 1, 2])
        #expect([.high, .low, .normal].sorted() == RequestPriority.allCases)
    }
}
