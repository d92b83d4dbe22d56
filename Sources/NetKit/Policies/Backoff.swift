/// How long to wait before the next attempt.
public enum Backoff: Hashable, Sendable {
    /// No wait.
    case none
    /// The same wait each time.
    case constant(Duration)
    /// `base × factor^(n − 1)` before the n-th retry, at most `maximum`. With `jitter` the wait is
    /// drawn evenly from 0 up to that, so that clients that failed together do not return together.
    case exponential(
        base: Duration = .milliseconds(300),
        factor: Double = 2,
        maximum: Duration = .seconds(30),
        jitter: Bool = true
    )

    /// The wait before a retry.
    ///
    /// - Parameters:
    ///   - retry: Which retry, counted from 1.
    ///   - random: Where between 0 and 1 the jitter falls.
    /// - Returns: The wait, never negative.
    func delay(beforeRetry retry: Int, random: Double) -> Duration {
        switch self {
        case .none: return .zero
        case .constant(let delay): return max(.zero, delay)
        case .exponential(let base, let factor, let maximum, let jitter):
            let factor = factor.isFinite ? max(1, factor) : 1
            let ceiling = Double(max(.zero, maximum).clampedNanoseconds)
            // Counted in floating point: it saturates where a duration would overflow.
            var wait = min(Double(base.clampedNanoseconds), ceiling)
            for _ in 1..<max(1, retry) where wait < ceiling { wait = min(wait * factor, ceiling) }
            let delay = Duration.nanoseconds(Int64(wait))
            return jitter ? delay * min(1, max(0, random)) : delay
        }
    }
}
