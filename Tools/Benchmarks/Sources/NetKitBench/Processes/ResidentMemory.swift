import Foundation
import Synchronization

/// How much of this process is in memory, from `/proc/self/status`.
enum ResidentMemory {
    /// Bytes at the moment.
    static var now: Int { ProcStatus.bytes("VmRSS") ?? ProcessUsage.peakRSS }

    /// Runs `body` and finds the most memory that was resident meanwhile.
    ///
    /// The kernel keeps that figure and starts it anew for who asks it to. Where it does not, it is
    /// looked up every 10 ms instead.
    static func peak<Value>(
        during body: () async throws -> Value
    ) async throws -> (value: Value, bytes: Int) {
        if resetPeak() {
            let value = try await body()
            return (value, ProcessUsage.peakRSS)
        }
        let sampler = Sampler()
        defer { sampler.stop() }
        let value = try await body()
        return (value, sampler.stop())
    }

    /// `5` resets `VmHWM` (proc(5), `clear_refs`).
    private static func resetPeak() -> Bool {
        let descriptor = open("/proc/self/clear_refs", O_WRONLY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return write(descriptor, "5", 1) == 1
    }
}

/// Looks up the resident memory every 10 ms, on a thread of its own.
private final class Sampler: Sendable {
    private let peak = Atomic(ResidentMemory.now)
    private let isOver = Atomic(false)

    init() {
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed) {
                sample()
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    /// Ends the sampling.
    ///
    /// - Returns: The most memory that was seen, in bytes.
    @discardableResult
    func stop() -> Int {
        isOver.store(true, ordering: .relaxed)
        sample()
        return peak.load(ordering: .relaxed)
    }

    private func sample() {
        peak.max(ResidentMemory.now, ordering: .relaxed)
    }
}
