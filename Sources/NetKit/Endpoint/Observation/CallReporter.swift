import Foundation

/// Tells those who listen to an endpoint what happens to one call.
struct CallReporter: Sendable {
    private static let lastID = Locked(0)

    private let callID: Int
    private let request: String
    private let observation: ObservationManager
    /// Whether anybody wants to see what is exchanged.
    let isWatchingExchanges: Bool

    /// The reporter of a call; nil if nobody listens.
    init?(_ request: Any.Type, _ observation: ObservationManager) {
        let audience = observation.audience
        guard audience.events || audience.exchanges else { return nil }
        callID = Self.lastID.withLock { id in
            id += 1
            return id
        }
        self.request = String(describing: request)
        self.observation = observation
        isWatchingExchanges = audience.exchanges
    }

    /// Tells that something has happened now.
    func callAsFunction(_ kind: CallEvent.Kind) {
        observation.tell(CallEvent(callID: callID, request: request, kind: kind, time: .now))
    }

    /// Tells of an exchange that is over now.
    func exchanged(_ sent: SentRequest, attempt: Int, lasting duration: Duration) {
        let ending = AttemptRecord.Ending(sent.outcome, of: sent.request)
        var (response, failure): (HTTPResponse?, String?) = (nil, nil)
        switch ending {
        case .response(let whole): response = whole
        case .failed(let reason): failure = reason.message
        }
        observation.tell(
            ObservedExchange(
                callID: callID,
                requestType: request,
                attempt: attempt,
                request: sent.request,
                response: response,
                failure: failure,
                start: Date(timeIntervalSinceNow: -(duration / .seconds(1))),
                duration: duration,
                phases: sent.phases ?? ExchangePhases(queued: duration)
            )
        )
    }
}
