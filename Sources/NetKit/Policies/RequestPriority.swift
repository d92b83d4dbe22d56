/// Which of several requests that wait for a place is sent first.
///
/// Within one priority it is first come, first served. Every fourth place goes to whoever has waited longest,
/// so that nobody waits for ever.
public enum RequestPriority: CaseIterable, Hashable, Sendable, Comparable {
    /// After all others, such as what is fetched in advance.
    case low
    /// What a request has that says nothing.
    case normal
    /// Before all others, such as what a person waits for.
    case high

    /// The line of the requests of this priority, from 0.
    var line: Int {
        switch self {
        case .low: 0
        case .normal: 1
        case .high: 2
        }
    }
}
