/// When to look through a table for entries that can be removed: so seldom that it costs little for each entry.
struct SweepSchedule: Sendable {
    private let minimum: Int
    private var next: Int

    /// Makes a schedule.
    ///
    /// - Parameter minimum: With fewer entries, the table is not looked through.
    init(minimum: Int) {
        self.minimum = minimum
        next = minimum
    }

    /// Whether the time has come, with so many entries; then ``swept(leaving:)`` follows.
    func isDue(with count: Int) -> Bool { count >= next }

    /// The table has been looked through: the next time comes when it has twice as many entries.
    mutating func swept(leaving count: Int) {
        next = max(minimum, 2 * count)
    }
}
