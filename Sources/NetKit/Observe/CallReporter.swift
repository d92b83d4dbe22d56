import Foundation

/// Forwards the reports of one call to its subscribers.
final class CallReporter: Sendable {
    private static let lastID = Locked(0)

    private let subscribers: [any CallSubscriber]
    private let clock: DeadlineClock
    private let start: UInt64
    private let summary: Locked<CallSummary>

    /// Creates the reporter of a call, or returns nil without subscribers.
    init?(_ request: Any.Type, _ subscribers: [any CallSubscriber], _ clock: DeadlineClock) {
        guard !subscribers.isEmpty else { return nil }
        self.subscribers = subscribers
        self.clock = clock
        start = clock.now
        let id = Self.lastID.withLock { id in
            id += 1
            return id
        }
        summary = Locked(CallSummary(id: id, requestType: String(describing: request)))
    }

    /// Reports an event that happens now.
    func report(_ report: CallReport) {
        let elapsed = clock.elapsed(since: start)
        let known = summary.withLock { summary -> CallSummary? in
            // Work that continues after a cancellation isn't reported.
            if summary.isFinished {
                guard case .undecodable = report else { return nil }
            }
            summary.note(report)
            summary.elapsed = elapsed
            return summary
        }
        guard let known else { return }
        for subscriber in subscribers { subscriber.receive(report, of: known) }
    }
}
