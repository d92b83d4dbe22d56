package import Foundation
package import NetKitSupport

/// A report from the layers of a call.
///
/// Logs, events, measurements, HAR files, and debug info all derive from these reports.
package enum CallReport: Sendable {
    /// The request is encoded and valid.
    case queued(EncodedRequest)
    /// An attempt started.
    case attempt(Int)
    /// The request has a connection slot and goes to the transport.
    case sending(EncodedRequest)
    /// The transport started to send.
    case started
    /// The whole request body was sent.
    case sent
    /// A redirect is followed.
    case redirected(HTTPStatus, to: URL)
    /// A redirect to another origin removes these fields and the endpoint's credential.
    case credentialsRemoved([HTTPHeaderName])
    /// ``Authentication`` recovered, and the request is resent.
    case refreshed(AuthenticationRecovery)
    /// A request was refused that has the endpoint's own `Authorization` field, and so no credential of ``Authentication``.
    case authenticationHidden
    /// The cookies of a response weren't saved to the jar's file, for this reason.
    case cookiesNotSaved(String)
    /// A cache can't store anything, for this reason.
    case cacheUnavailable(String)
    /// A stored response produced the result. It is fresh until the date.
    case answeredFromCache(AttemptResult, freshUntil: Date)
    /// A download starts over instead of resuming its partial file.
    case startedOver(DownloadRestart)
    /// An exchange ended.
    case exchanged(AttemptResult, from: Date, lasting: Duration)
    /// The complete response of an attempt arrived.
    case received(HTTPResponse)
    /// An attempt ended, and the retry layer has decided what follows.
    case attempted(AttemptResult, AttemptTrace)
    /// The transfer of an identical call produced the result.
    case joined(AttemptResult)
    /// The response was decoded.
    case decoded
    /// An element of a stream doesn't decode, for this one-line reason. The transfer may have ended before.
    case undecodable(String)
    /// The call ended.
    ///
    /// The value is nil on success, or a one-line reason for the failure. The response is that of the outcome, or nil for
    /// a failure without one.
    case finished(String?, HTTPResponse? = nil, isCancellation: Bool = false)
}

/// A subscriber to the reports of calls.
protocol CallSubscriber: Sendable {
    /// Receives a report, as a rule in the call's task.
    ///
    /// The reports of one call arrive one after the other, in order. Only ``CallReport/undecodable(_:)`` can follow the last.
    func receive(_ report: CallReport, of call: CallSummary)
}

/// A summary of a call's reports so far.
struct CallSummary: Sendable {
    /// The number of the call, unique in the process and starting at 1.
    let id: Int
    /// The ``Request/name`` of the request.
    let requestName: String
    /// The encoded request, or nil if it was refused.
    var request: EncodedRequest?
    /// The status code of the last response.
    var status: HTTPStatus?
    /// Why the last attempt wasn't retried although it could have been.
    var refusedRetry: String?
    /// The part that the cache played.
    var cacheOutcome = CacheOutcome.none
    var attempts = 0
    /// The time since the call started.
    var elapsed = Duration.zero
    /// The time of the last report.
    var time = ContinuousClock.now
    /// Whether the call has ended, after which there are no more reports.
    var isFinished = false

    /// Updates the summary with a report.
    mutating func note(_ report: CallReport) {
        switch report {
        case .queued(let encoded): request = encoded
        case .attempt(let number): (attempts, status) = (number, nil)
        case .attempted(let result, let trace):
            (cacheOutcome, refusedRetry) = (result.cacheOutcome, trace.refusedRetry)
        case .answeredFromCache(let result, _):
            (cacheOutcome, status) = (result.cacheOutcome, result.response?.status ?? status)
        case .received(let response): status = response.status
        case .joined(let result):
            guard attempts == 0 else { return }
            (attempts, status) = (result.attempt, result.response?.status)
            cacheOutcome = result.cacheOutcome
        case .finished(_, let response, _):
            // An interceptor's own response wasn't reported before.
            (status, isFinished) = (response?.status ?? status, true)
        default: break
        }
    }
}

/// Forwards the reports of one call to its subscribers.
package final class CallReporter: Sendable {
    private static let lastID = Locked(0)

    private let subscribers: [any CallSubscriber]
    private let clock: DeadlineClock
    private let start: UInt64
    private let state: Locked<State>

    private struct State: ~Copyable {
        var summary: CallSummary
        /// Whether a thread is delivering; it delivers what others report meanwhile.
        var isDelivering = false
        var waiting: [Delivery] = []
        /// The reporters of the calls that share this call's transfer.
        var followers: [CallReporter] = []
    }

    private typealias Delivery = (report: CallReport, call: CallSummary)

    /// Creates the reporter of a call, or returns nil without subscribers.
    init?(
        _ request: @autoclosure () -> String,
        _ subscribers: [any CallSubscriber],
        _ clock: DeadlineClock
    ) {
        guard !subscribers.isEmpty else { return nil }
        self.subscribers = subscribers
        self.clock = clock
        start = clock.now
        let id = Self.lastID.withLock { id in
            id += 1
            return id
        }
        state = Locked(State(summary: CallSummary(id: id, requestName: request())))
    }

    /// Reports an event that happens now.
    ///
    /// Subscribers receive one report after the other. One that is reported meanwhile, by another thread or by an
    /// observer, follows. After the end of the call, the reports are those of another call that shares the transfer.
    package func report(_ report: CallReport) {
        guard !deliver(report) else { return }
        for follower in state.withLock({ $0.followers }) where follower.deliver(report) { return }
    }

    /// Adds the reporter of a call that shares this call's transfer.
    func share(with follower: CallReporter) {
        state.withLock { $0.followers.append(follower) }
    }

    /// Delivers a report, and returns whether the call accepts it.
    private func deliver(_ report: CallReport) -> Bool {
        let elapsed = clock.elapsed(since: start)
        let (isAccepted, first) = state.withLock { state -> (Bool, Delivery?) in
            // Work that continues after a cancellation isn't reported.
            if state.summary.isFinished {
                guard case .undecodable = report else { return (false, nil) }
            }
            state.summary.note(report)
            // Taken under the lock, so that the times of events have their order.
            (state.summary.time, state.summary.elapsed) = (.now, elapsed)
            let delivery: Delivery = (report, state.summary)
            guard !state.isDelivering else {
                state.waiting.append(delivery)
                return (true, nil)
            }
            state.isDelivering = true
            return (true, delivery)
        }
        var next = first
        while let (report, call) = next {
            for subscriber in subscribers { subscriber.receive(report, of: call) }
            next = state.withLock { state in
                state.isDelivering = !state.waiting.isEmpty
                return state.isDelivering ? state.waiting.removeFirst() : nil
            }
        }
        return isAccepted
    }
}
