/// Which of several requests that wait for a place is sent first.
///
/// Within one priority it is first come, first served. Every fourth place goes to whoever has waited longest,
/// so that nobody waits for ever.
public enum RequestPriority: Int, CaseIterable, Hashable, Sendable, Comparable {
    /// After all others, such as what is fetched in advance.
    case low
    /// What a request has that says nothing.
    case normal
    /// Before all others, such as what a person waits for.
    case high

    /// Whether one comes after the other.
    public static func < (left: RequestPriority, right: RequestPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
