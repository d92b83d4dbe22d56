/// A schedule for removing stale entries from a table, at a small cost per entry.
package struct SweepSchedule: Sendable {
    private let minimum: Int
    private var next: Int

    /// Creates a schedule.
    ///
    /// - Parameter minimum: The size below which the table isn't swept.
    package init(minimum: Int) {
        self.minimum = minimum
        next = minimum
    }

    /// Whether to sweep a table of this size.
    ///
    /// Call ``swept(leaving:)`` afterward.
    package func isDue(with count: Int) -> Bool { count >= next }

    /// Removes the idle entries of a table, if that is due.
    package mutating func sweep<Key, Entry>(
        _ table: inout [Key: Entry],
        where isIdle: (Entry) -> Bool
    ) {
        guard isDue(with: table.count) else { return }
        table = table.filter { !isIdle($0.value) }
        swept(leaving: table.count)
    }

    /// Records a sweep.
    ///
    /// The next one is due when the table has doubled in size.
    package mutating func swept(leaving count: Int) {
        next = max(minimum, 2 * count)
    }
}
