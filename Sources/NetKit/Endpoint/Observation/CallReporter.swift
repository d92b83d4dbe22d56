import Foundation

/// Tells those who listen to an endpoint what happens to one call.
struct CallReporter: Sendable {
    private static let lastID = Locked(0)

    private let callID: Int
    private let request: String
    private let observation: ObservationManager
    private let audience: ObservationManager.Audience
    private let log: CallLog?
    private let start = ContinuousClock.now
    private let summary = Locked(CallSummary())

    /// The reporter of a call; nil if nobody listens.
    init?(_ request: Any.Type, _ endpoint: Endpoint) {
        let logger = endpoint.settings.values.logger
        observation = endpoint.observation
        audience = observation.audience
        guard audience.events || audience.exchanges || audience.measurements || logger != nil
        else { return nil }
        callID = Self.lastID.withLock { id in
            id += 1
            return id
        }
        self.request = String(describing: request)
        log = logger.map { [callID, request = self.request] logger in
            CallLog(logger: logger, prefix: "[\(callID)] \(request)")
        }
    }

    /// Whether anybody wants to see what is exchanged.
    var isWatchingExchanges: Bool { audience.exchanges || log != nil }

    /// Tells that a request is described and checked.
    func queued(_ encoded: EncodedRequest) {
        let description = encoded.description
        summary.withLock { summary in
            summary.request = description
            summary.method = encoded.method.rawValue
            summary.host = encoded.url.host ?? ""
        }
        self(.queued(description))
    }

    /// Tells that something has happened now.
    func callAsFunction(_ kind: CallEvent.Kind) {
        let event = CallEvent(callID: callID, request: request, kind: kind, time: .now)
        let summary = summary.withLock { summary in
            switch kind {
            case .attempt(let number): (summary.attempts, summary.status) = (number, nil)
            case .received(let status): summary.status = status
            default: break
            }
            return summary
        }
        if audience.events { observation.tell(event) }
        log?(event, summary, since: start)
        if audience.measurements { measure(event, summary) }
    }

    private func measure(_ event: CallEvent, _ summary: CallSummary) {
        switch event.kind {
        case .decided(let trace):
            let isSuccess = summary.status?.isSuccessful == true
            tell(.attempt(trace.number), summary, isSuccess: isSuccess, lasting: trace.duration)
        case .finished(let failure):
            let scope = CallMeasurement.Scope.call(attempts: summary.attempts)
            tell(scope, summary, isSuccess: failure == nil, lasting: event.time - start)
        default: break
        }
    }

    private func tell(
        _ scope: CallMeasurement.Scope,
        _ summary: CallSummary,
        isSuccess: Bool,
        lasting duration: Duration
    ) {
        observation.tell(
            CallMeasurement(
                scope: scope,
                requestType: request,
                method: summary.method,
                host: summary.host,
                status: summary.status,
                isSuccess: isSuccess,
                duration: duration
            )
        )
    }

    /// Tells of an exchange that is over now.
    func exchanged(_ sent: SentRequest, attempt: Int, lasting duration: Duration) {
        let ending = AttemptRecord.Ending(sent.outcome, of: sent.request)
        var (response, failure): (HTTPResponse?, String?) = (nil, nil)
        switch ending {
        case .response(let whole): response = whole
        case .failed(let reason): failure = reason.message
        }
        let exchange = ObservedExchange(
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
        if audience.exchanges { observation.tell(exchange) }
        log?(exchange)
    }
}
