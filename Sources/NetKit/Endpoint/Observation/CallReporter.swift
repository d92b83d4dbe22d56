import Foundation

/// Tells those who listen to an endpoint what happens to one call.
struct CallReporter: Sendable {
    private static let lastID = Locked(0)

    private let callID: Int
    private let request: String
    private let observation: ObservationManager
    private let audience: ObservationManager.Audience
    private let log: CallLog?
    private let clock: DeadlineClock
    private let start: UInt64
    private let summary = Locked(CallSummary())

    /// The reporter of a call; nil if nobody listens.
    init?(_ request: Any.Type, _ endpoint: Endpoint) {
        let logger = endpoint.settings.values.logger
        observation = endpoint.observation
        clock = endpoint.clock
        start = clock.now
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

    /// Tells that a redirect leads to another origin, if there is anything that does not go along.
    func leftBehind(of request: EncodedRequest, authentication: Bool) {
        let names = request.headers.credentials(hiding: request.redaction.headers)
        if authentication || !names.isEmpty { self(.credentialsLeftBehind(names)) }
    }

    /// Writes down a request that is sent now.
    func sending(_ request: EncodedRequest) {
        if let log, !summary.withLock({ $0.isFinished }) { log.sending(request) }
    }

    /// Tells that something has happened now.
    func callAsFunction(_ kind: CallEvent.Kind) {
        let event = CallEvent(callID: callID, request: request, kind: kind, time: .now)
        let known = summary.withLock { summary -> CallSummary? in
            // What goes on after a cancel is nobody's any more.
            guard !summary.isFinished else { return nil }
            switch kind {
            case .attempt(let number): (summary.attempts, summary.status) = (number, nil)
            case .received(let status): summary.status = status
            case .finished: summary.isFinished = true
            default: break
            }
            return summary
        }
        guard let summary = known else { return }
        if audience.events { observation.tell(event) }
        log?(event, summary, after: elapsed)
        if audience.measurements { measure(event, summary) }
    }

    private var elapsed: Duration { .nanoseconds(Int64(clamping: clock.now - start)) }

    /// Takes over what another call's transfer came to, which this one shared.
    func joined(_ record: AttemptRecord) {
        summary.withLock { summary in
            guard summary.attempts == 0 else { return }
            summary.attempts = record.number
            summary.status = record.response?.status
        }
    }

    private func measure(_ event: CallEvent, _ summary: CallSummary) {
        switch event.kind {
        case .decided(let trace):
            let isSuccess = summary.status?.isSuccessful == true
            tell(.attempt(trace.number), summary, isSuccess: isSuccess, lasting: trace.duration)
        case .finished(let failure):
            let scope = CallMeasurement.Scope.call(attempts: summary.attempts)
            tell(scope, summary, isSuccess: failure == nil, lasting: elapsed)
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
    ///
    /// - Parameters:
    ///   - sent: What was sent, and what came of it.
    ///   - attempt: Which attempt it belongs to.
    ///   - start: When it began, by the wall clock.
    ///   - duration: How long it took.
    func exchanged(
        _ sent: SentRequest,
        attempt: Int,
        from start: Date,
        lasting duration: Duration
    ) {
        guard !summary.withLock({ $0.isFinished }) else { return }
        let ending = AttemptRecord.Ending(sent.outcome, of: sent.request)
        let exchange = ObservedExchange(
            callID: callID,
            requestType: request,
            attempt: attempt,
            request: sent.request,
            response: ending.response,
            streamedLength: sent.sunkLength,
            failure: ending.failure,
            start: start,
            duration: duration,
            phases: sent.phases ?? ExchangePhases(queued: duration)
        )
        if audience.exchanges { observation.tell(exchange) }
        log?(exchange)
    }
}
