/// The priority of a request in the endpoint's queue.
///
/// Requests of equal priority are sent in order of arrival. Every fourth request that leaves the queue is the one that
/// has waited longest, whatever its priority, so that no request waits forever.
public enum RequestPriority: CaseIterable, Hashable, Sendable, Comparable {
    /// Sent after all other requests. Use it for prefetching.
    case low
    /// The default priority.
    case normal
    /// Sent before all other requests. Use it when a person is waiting for the result.
    case high

    /// The index of this priority's queue, starting at 0.
    var line: Int {
        switch self {
        case .low: 0
        case .normal: 1
        case .high: 2
        }
    }
}
