/// How many bytes of a body have gone one way, of how many.
enum TransferCount: Hashable, Sendable {
    case sent(Int64, of: Int64)
    case received(Int64, of: Int64)

    /// Between 0 and 1; 1 for an empty body.
    var fraction: Double {
        switch self {
        case .sent(let count, let total), .received(let count, let total):
            total > 0 ? min(1, Double(count) / Double(total)) : 1
        }
    }
}

/// Hears that bytes went; asks for the count only where somebody wants it, as it takes some finding out.
typealias TransferWatch = @Sendable (_ count: () -> TransferCount?) -> Void

/// Turns byte counts into a progress that only grows and speaks up at most a hundred times.
struct ProgressMeter: Sendable {
    private(set) var last: Double = 0

    /// The progress to report now, nil if it is not worth a report.
    mutating func report(_ fraction: Double) -> Double? {
        guard fraction.isFinite, fraction >= last + 0.01 || (fraction >= 1 && last < 1) else {
            return nil
        }
        last = min(1, fraction)
        return last
    }
}
