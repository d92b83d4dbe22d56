import Foundation

/// What one run of calls cost the process that made them.
struct RunCost: Codable, Equatable, Sendable {
    /// How many calls the run made.
    let calls: Int
    /// Wall time from the first call's start to the last value, in seconds.
    let seconds: Double
    /// User and system time of all threads, in seconds.
    let cpuSeconds: Double
    /// The most memory the process has had resident since it started, in bytes.
    let peakRSS: Int
}

extension RunCost {
    /// Calls per second.
    var rate: Double { Double(calls) / seconds }

    /// CPU seconds per call.
    var cpuPerCall: Double { cpuSeconds / Double(calls) }

    /// Measures `body`, which makes `calls` calls.
    static func measure(calls: Int, _ body: () async throws -> Void) async throws -> RunCost {
        let cpuAtStart = ProcessUsage.cpuSeconds
        let start = ContinuousClock.now
        try await body()
        let elapsed = ContinuousClock.now - start
        return RunCost(
            calls: calls,
            seconds: elapsed / .seconds(1),
            cpuSeconds: ProcessUsage.cpuSeconds - cpuAtStart,
            peakRSS: ProcessUsage.peakRSS
        )
    }
}
