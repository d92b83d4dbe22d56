import Foundation
import Testing

@testable import NetKitBench

#if os(Linux)
@Suite("Resident memory", .serialized)
struct ResidentMemoryTests {
    @Test("measures a peak without memory freed earlier")
    func peak() async throws {
        let size = 64 << 20
        let large = try await ResidentMemory.peak {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
            memset(memory, 1, size)
            memory.deallocate()
        }
        let small = try await ResidentMemory.peak {}
        #expect(large.bytes - small.bytes > size / 2)
    }
}
#endif
