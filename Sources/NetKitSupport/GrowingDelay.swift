/// A delay that grows with each repetition.
package enum GrowingDelay {
    /// Returns the delay before a repetition: `base × factor^(number − 1)`, at most `maximum`.
    package static func delay(
        _ base: Duration,
        times factor: Double,
        atMost maximum: Duration,
        number: Int
    ) -> Duration {
        let factor = factor.isFinite ? max(1, factor) : 1
        let ceiling = Double(max(.zero, maximum).clampedNanoseconds)
        // In floating point, because it saturates where a duration would overflow.
        var wait = min(Double(base.clampedNanoseconds), ceiling)
        for _ in 1..<max(1, number) where wait < ceiling { wait = min(wait * factor, ceiling) }
        return Duration.nanoseconds(Int64(wait))
    }
}
