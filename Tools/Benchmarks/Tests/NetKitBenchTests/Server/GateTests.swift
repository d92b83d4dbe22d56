import NIOCore
import NIOPosix
import Testing

@testable import NetKitBench

@Suite("Gate")
struct GateTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.any()

    @Test("passes everything while open")
    func open() {
        let gate = Gate()
        #expect(gate.turn(on: loop) == nil)
        #expect(gate.open() == 0)
    }

    @Test("blocks while closed, and counts the blocked requests")
    func closed() async throws {
        let gate = Gate()
        #expect(gate.close() == 0)
        let first = try #require(gate.turn(on: loop))
        let second = try #require(gate.turn(on: loop))
        #expect(gate.close() == 2)
        #expect(gate.open() == 2)
        try await first.get()
        try await second.get()
        #expect(gate.turn(on: loop) == nil)
    }
}
