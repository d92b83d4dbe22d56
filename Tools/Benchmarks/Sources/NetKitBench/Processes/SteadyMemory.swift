import Foundation

/// The resident memory of this process when it changes no more.
///
/// CPU time would tell the end of the work sooner, but on Linux a call of URLSession that waits for its
/// answer keeps a core busy.
enum SteadyMemory {
    /// It changed all the time.
    struct NeverSteady: Error {}

    private static let look = Duration.milliseconds(100)
    /// Bytes that are no change.
    private static let tolerance = 64 << 10
    /// So many in a row: on a busy machine, a process that waits for a core looks steady for a moment.
    private static let steadyLooks = 10
    private static let patience = Duration.seconds(50)

    /// Waits until the resident memory has been the same for a second.
    ///
    /// - Returns: Bytes.
    /// - Throws: ``NeverSteady`` after 50 seconds: soon the first calls would run into their timeout.
    static func wait() async throws -> Int {
        let deadline = ContinuousClock.now + patience
        var steady = ResidentMemory.now
        var looks = 0
        while looks < steadyLooks {
            guard ContinuousClock.now < deadline else { throw NeverSteady() }
            try await Task.sleep(for: look)
            let now = ResidentMemory.now
            if abs(now - steady) <= tolerance {
                looks += 1
            } else {
                steady = now
                looks = 0
            }
        }
        return steady
    }
}
