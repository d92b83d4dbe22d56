/// The middle of a sample, with its quartiles as a measure of how far to trust it.
struct Spread: Equatable, Sendable {
    let median: Double
    let lowerQuartile: Double
    let upperQuartile: Double
    let minimum: Double
    let maximum: Double

    /// Quantiles that fall between two values are interpolated.
    init(_ values: [Double]) {
        precondition(!values.isEmpty, "a sample has at least one value")
        let sorted = values.sorted()
        func quantile(_ fraction: Double) -> Double {
            let position = fraction * Double(sorted.count - 1)
            let below = Int(position)
            let above = min(below + 1, sorted.count - 1)
            return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
        }
        median = quantile(0.5)
        lowerQuartile = quantile(0.25)
        upperQuartile = quantile(0.75)
        minimum = quantile(0)
        maximum = quantile(1)
    }

    /// The ratios of values that were taken in the same round.
    init(_ values: [Double], over base: [Double]) {
        precondition(values.count == base.count, "each value has its pair")
        self.init(zip(values, base).map { $0 / $1 })
    }
}
