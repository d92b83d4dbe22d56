/// The delay before a retry.
public enum Backoff: Hashable, Sendable {
    /// No delay.
    case none
    /// The same delay before each retry.
    case constant(Duration)
    /// A delay that grows with each retry: `base × factor^(n − 1)` before the n-th retry, at most `maximum`.
    ///
    /// With `jitter`, the delay is a random value between 0 and that delay, so that clients that failed together don't
    /// retry together.
    case exponential(
        base: Duration = .milliseconds(300),
        factor: Double = 2,
        maximum: Duration = .seconds(30),
        jitter: Bool = true
    )

    /// Returns the delay before a retry.
    ///
    /// - Parameters:
    ///   - retry: The number of the retry, starting at 1.
    ///   - random: The position of the jitter, from 0 to 1.
    /// - Returns: The delay, never negative.
    package func delay(beforeRetry retry: Int, random: Double) -> Duration {
        switch self {
        case .none: return .zero
        case .constant(let delay): return max(.zero, delay)
        case .exponential(let base, let factor, let maximum, let jitter):
            let factor = factor.isFinite ? max(1, factor) : 1
            let ceiling = Double(max(.zero, maximum).clampedNanoseconds)
            // In floating point, because it saturates where a duration would overflow.
            var wait = min(Double(base.clampedNanoseconds), ceiling)
            for _ in 1..<max(1, retry) where wait < ceiling { wait = min(wait * factor, ceiling) }
            let delay = Duration.nanoseconds(Int64(wait))
            return jitter ? delay * min(1, max(0, random)) : delay
        }
    }
}
