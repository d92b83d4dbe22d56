/// A duration with three significant digits and a unit, such as `12.3 ms`.
struct DurationText: CustomStringConvertible {
    let description: String

    init(_ duration: Duration) {
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
        let divisor = Int64(factor)
        let fraction = String(scaled % divisor)
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return "\(scaled / divisor).\(zeros)\(fraction)"
    }
}
