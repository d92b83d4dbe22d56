import Foundation
import Testing

@testable import Soak

@Suite("Flatness")
struct FlatnessTests {
    /// Samples of a process that warms up in the first quarter.
    private func samples(
        _ change: (_ second: Int, inout ProcessSample) -> Void = { _, _ in }
    ) -> [ProcessSample] {
        (0..<120)
            .map { second in
                var sample = ProcessSample(
                    descriptors: 40 + second % 7,
                    threads: 12 + second % 3,
                    memory: (60 << 20) + min(second, 20) << 20,
                    allocated: (20 << 20) + min(second, 20) << 20,
                    sessionExchanges: 100 * second
                )
                change(second, &sample)
                return sample
            }
    }

    private func rising(_ samples: [ProcessSample]) -> [String] {
        Flatness(samples).figures.filter { !$0.isFlat }.map(\.name)
    }

    @Test("accepts figures that only warm up and vary")
    func flat() {
        #expect(rising(samples()).isEmpty)
    }

    @Test("finds a descriptor that leaks every other second")
    func descriptors() {
        #expect(rising(samples { $1.descriptors += $0 / 2 }) == ["descriptors"])
    }

    @Test("finds a thread that leaks every third second")
    func threads() {
        #expect(rising(samples { $1.threads += $0 / 3 }) == ["threads"])
    }

    // 45 seconds lie between the middles of the halves, with 100 exchanges each.

    @Test("finds allocated bytes that grow faster than URLSession's own")
    func allocated() {
        #expect(rising(samples { $1.allocated += 13_000 * $0 }).isEmpty)
        #expect(rising(samples { $1.allocated += 60_000 * $0 }) == ["allocated bytes"])
    }

    @Test("allows no engine but URLSession to keep bytes of each request")
    func otherEngines() {
        let samples = samples { second, sample in
            sample.sessionExchanges = 0
            sample.allocated += 26_000 * second
        }
        #expect(rising(samples) == ["allocated bytes"])
    }

    @Test("finds resident bytes that grow faster than URLSession's own and the allocator's arenas")
    func resident() {
        #expect(rising(samples { $1.memory += 40_000 * $0 }).isEmpty)
        #expect(rising(samples { $1.memory += 200_000 * $0 }) == ["resident bytes"])
    }

    @Test("accepts one peak of memory")
    func peak() {
        let samples = samples { second, sample in
            guard second == 100 else { return }
            sample.memory += 500 << 20
            sample.allocated += 500 << 20
        }
        #expect(rising(samples).isEmpty)
    }

    @Test("counts what malloc hands out")
    func allocation() {
        let before = ProcessSample.now().allocated
        let data = Data(repeating: 1, count: 64 << 20)
        #expect(ProcessSample.now().allocated - before > 32 << 20)
        #expect(data.count == 64 << 20)
    }

    @Test("names the threads, each with its number")
    func threadNames() {
        let counts = ProcessSample.threadNames
            .map { $0.split(separator: " ", maxSplits: 1).first.flatMap { Int($0) } ?? 0 }
        #expect(!counts.isEmpty)
        #expect(counts.allSatisfy { $0 > 0 })
    }

    @Test("reads the figures of /proc/self/status")
    func status() {
        let status = "VmPeak:\t  9000 kB\nVmRSS:\t  1760 kB\nThreads:\t7\n"
        #expect(ProcessSample.figure("VmRSS", in: status) == 1760)
        #expect(ProcessSample.figure("Threads", in: status) == 7)
        #expect(ProcessSample.figure("VmSwap", in: status) == 0)
    }
}
