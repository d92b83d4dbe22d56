import Foundation

/// What one transfer cost the process that made it.
struct TransferCost: Codable, Equatable, Sendable {
    /// The length of the file.
    let bytes: Int
    /// Wall time until the answer was there or the file was in place, in seconds.
    let seconds: Double
    /// User and system time of all threads, in seconds.
    let cpuSeconds: Double
    /// The memory resident before the first large transfer, in bytes.
    let idleRSS: Int
    /// The most memory resident during the transfer, in bytes.
    let peakRSS: Int
}

extension TransferCost {
    /// Bytes per second.
    var rate: Double { Double(bytes) / seconds }

    /// What the transfer took beyond the idle process, in bytes.
    var memoryOverIdle: Int { peakRSS - idleRSS }

    /// Measures `body`, which transfers `bytes` bytes.
    static func measure(
        bytes: Int,
        idleRSS: Int,
        _ body: () async throws -> Void
    ) async throws -> TransferCost {
        let cpuAtStart = ProcessUsage.cpuSeconds
        let (elapsed, peakRSS) = try await ResidentMemory.peak {
            let start = ContinuousClock.now
            try await body()
            return ContinuousClock.now - start
        }
        return TransferCost(
            bytes: bytes,
            seconds: elapsed / .seconds(1),
            cpuSeconds: ProcessUsage.cpuSeconds - cpuAtStart,
            idleRSS: idleRSS,
            peakRSS: peakRSS
        )
    }
}
