import Foundation

/// Forwards the reports of one call to its subscribers.
package final class CallReporter: Sendable {
    private static let lastID = Locked(0)

    private let subscribers: [any CallSubscriber]
    private let clock: DeadlineClock
    private let start: UInt64
    private let state: Locked<State>

    private struct State {
        var summary: CallSummary
        /// Whether a thread is delivering; it delivers what others report meanwhile.
        var isDelivering = false
        var waiting: [Delivery] = []
    }

    private typealias Delivery = (report: CallReport, call: CallSummary)

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
        state = Locked(
            State(summary: CallSummary(id: id, requestType: String(describing: request)))
        )
    }

    /// Reports an event that happens now.
    ///
    /// Subscribers receive one report after the other. One that is reported meanwhile, by another thread or by an
    /// observer, follows.
    package func report(_ report: CallReport) {
        let elapsed = clock.elapsed(since: start)
        var next = state.withLock { state -> Delivery? in
            // Work that continues after a cancellation isn't reported.
            if state.summary.isFinished {
                guard case .undecodable = report else { return nil }
            }
            state.summary.note(report)
            state.summary.elapsed = elapsed
            let delivery = (report, state.summary)
            guard !state.isDelivering else {
                state.waiting.append(delivery)
                return nil
            }
            state.isDelivering = true
            return delivery
        }
        while let (report, call) = next {
            for subscriber in subscribers { subscriber.receive(report, of: call) }
            next = state.withLock { state in
                state.isDelivering = !state.waiting.isEmpty
                return state.isDelivering ? state.waiting.removeFirst() : nil
            }
        }
    }
}
