/// A duration with a unit and at most three significant digits: `60 s`, `250 ms`, `12.3 ms`.
///
/// From 1000 seconds, it has whole seconds.
package struct DurationText: CustomStringConvertible, Sendable {
    /// The formatted duration.
    package let description: String

    /// Formats a duration.
    ///
    /// - Parameter duration: The duration. A negative one counts as zero.
    package init(_ duration: Duration) {
        var value = max(0, duration / .microseconds(1))
        guard value > 0 else {
            description = "0 s"
            return
        }
        var units = ["µs", "ms", "s"][...]
        // A value that rounds to four digits uses the next unit.
        while value >= 999.5, units.count > 1 {
            value /= 1_000
            units.removeFirst()
        }
        description = "\(Self.digits(of: value)) \(units.first ?? "s")"
    }

    private static func digits(of value: Double) -> String {
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        let factor = decimals == 2 ? 100.0 : decimals == 1 ? 10.0 : 1.0
        // A duration has at most 2^63 seconds, which is 3 digits too many for Int as hundredths only in microseconds.
        guard let scaled = Int64(exactly: (value * factor).rounded()) else { return "\(value)" }
        guard decimals > 0 else { return "\(scaled)" }
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int64(factor))
        guard rest > 0 else { return "\(whole)" }
        var fraction = String(repeating: "0", count: decimals - "\(rest)".count) + "\(rest)"
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(whole).\(fraction)"
    }
}
