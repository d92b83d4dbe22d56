import Foundation
import NetKitSupport

/// Converts a call's reports to the events, exchanges, and measurements that observers receive.
struct ObserverNotifier: CallSubscriber {
    let observation: ObservationManager
    let audience: ObservationManager.Audience

    func receive(_ report: CallReport, of call: CallSummary) {
        if audience.events, let kind = CallEvent.Kind(report) {
            observation.notify(
                CallEvent(callID: call.id, request: call.requestName, kind: kind, time: .now)
            )
        }
        if audience.exchanges,
            case .exchanged(let result, let attempt, let start, let time) = report
        {
            observation.notify(ObservedExchange(result, attempt, start, lasting: time, of: call))
        }
        if audience.exchanges, case .answeredFromCache(let result, let expiration) = report,
            result.cacheOutcome != .revalidated
        {
            observation.notify(ObservedExchange(result, freshUntil: expiration, of: call))
        }
        if audience.measurements, let measurement = CallMeasurement(report, of: call) {
            observation.notify(measurement)
        }
    }
}

extension CallEvent.Kind {
    /// Converts a report to an event, or returns nil for other reports.
    fileprivate init?(_ report: CallReport) {
        switch report {
        case .queued(let request): self = .queued(request.description)
        case .attempt(let number): self = .attemptStarted(number)
        case .started: self = .started
        case .sent: self = .sent
        case .redirected(let status, let url): self = .redirected(status, to: "\(RedactedURL(url))")
        case .credentialsRemoved(let names): self = .credentialsRemoved(names)
        case .refreshed(let recovery): self = .refreshed(recovery)
        case .answeredFromCache(let result, _): self = .answeredFromCache(result.cacheOutcome)
        case .startedOver(let reason): self = .startedOver(reason.description)
        case .received(let response): self = .received(response.status)
        case .attempted(_, let trace): self = .attemptFinished(trace)
        case .decoded: self = .decoded
        case .finished(let failure, _, _): self = .finished(failure)
        case .sending, .exchanged, .joined, .authenticationHidden, .cookiesNotSaved,
            .cacheUnavailable, .undecodable:
            return nil
        }
    }
}

extension ObservedExchange {
    fileprivate init(
        _ result: AttemptResult,
        _ attempt: Int,
        _ start: Date,
        lasting duration: Duration,
        of call: CallSummary
    ) {
        self.init(
            callID: call.id,
            requestName: call.requestName,
            attempt: attempt,
            request: result.request,
            response: result.response,
            streamedLength: result.streamedLength,
            failure: result.failure?.line,
            start: start,
            duration: duration,
            phases: result.phases ?? ExchangePhases(queue: duration)
        )
    }
}

extension ObservedExchange {
    fileprivate init(_ result: AttemptResult, freshUntil expiration: Date, of call: CallSummary) {
        self.init(
            callID: call.id,
            requestName: call.requestName,
            attempt: result.attempt,
            request: result.request,
            response: result.response,
            streamedLength: result.streamedLength,
            failure: result.failure?.line,
            start: Date(),
            duration: .zero,
            phases: ExchangePhases(queue: .zero),
            cacheOutcome: result.cacheOutcome,
            expirationDate: expiration
        )
    }
}

extension CallMeasurement {
    /// Creates the measurement of an ended attempt or call, or returns nil for other reports.
    fileprivate init?(_ report: CallReport, of call: CallSummary) {
        let (scope, isSuccessful, duration): (Scope, Bool, Duration)
        switch report {
        case .attempted(let result, let trace):
            (scope, isSuccessful, duration) = (
                .attempt(trace.number), result.isSuccessful, trace.duration
            )
        case .finished(let failure, _, _):
            (scope, isSuccessful) = (.call(attempts: call.attempts), failure == nil)
            duration = call.elapsed
        default: return nil
        }
        self.init(
            scope: scope,
            requestName: call.requestName,
            method: call.request?.method.rawValue ?? "",
            host: call.request?.url.host ?? "",
            status: call.status,
            cacheOutcome: call.cacheOutcome,
            isSuccessful: isSuccessful,
            duration: duration
        )
    }
}
