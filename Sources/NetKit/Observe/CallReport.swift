import Foundation

/// What the layers of one call report: the one stream that logs, events, measurements, HAR files and debug info are
/// derived from.
enum CallReport: Sendable {
    /// The request is encoded and checked.
    case queued(EncodedRequest)
    /// An attempt has begun.
    case attempt(Int)
    /// The request has a connection slot and goes to the transport.
    case sending(EncodedRequest)
    /// The transport has begun to send.
    case started
    /// The whole body of the request was sent.
    case sent
    /// A redirect is followed.
    case redirected(HTTPStatus, to: URL)
    /// A redirect leads to another origin, without these fields and without the endpoint's credential.
    case credentialsLeftBehind([HTTPHeaderName])
    /// ``Authentication`` wants the request to be sent again.
    case refreshed(AuthenticationRecovery)
    /// The cookies of a response are not in the jar's file.
    case cookiesNotSaved(CookieFileError)
    /// A cache can't store anything, for this reason.
    case cacheUnavailable(String)
    /// A stored response with this head gave the result.
    case answeredFromCache(AttemptResult, StoredHead)
    /// An exchange is over.
    case exchanged(AttemptResult, attempt: Int, from: Date, lasting: Duration)
    /// The complete response of an attempt is there.
    case received(HTTPStatus)
    /// An attempt is over, and the retry layer has decided what follows.
    case attempted(AttemptResult, AttemptTrace)
    /// The transfer of an identical call gave the result.
    case joined(AttemptResult)
    /// The value was decoded.
    case decoded
    /// The call is over: nil on success, else one line that says why.
    case finished(String?)
}

/// Receives what the layers of a call report.
protocol CallSubscriber: Sendable {
    /// Takes a report, in the call's own task; those of one call come in order, none after the last.
    func receive(_ report: CallReport, of call: CallSummary)
}

/// What a call has reported so far.
struct CallSummary: Sendable {
    /// Tells the calls of this process apart, counted from 1.
    let id: Int
    /// The type of the request.
    let requestType: String
    /// The request as it was encoded; nil for one that was refused.
    var request: EncodedRequest?
    /// The status of the last response.
    var status: HTTPStatus?
    /// What a cache did for it.
    var cacheOutcome = CacheOutcome.none
    var attempts = 0
    /// The time since the call began.
    var elapsed = Duration.zero
    /// Whether the call is over, so that nothing more is reported.
    var isFinished = false

    /// Notes a report.
    mutating func note(_ report: CallReport) {
        switch report {
        case .queued(let encoded): request = encoded
        case .attempt(let number): (attempts, status) = (number, nil)
        case .attempted(let result, _): cacheOutcome = result.cacheOutcome
        case .answeredFromCache(let result, _):
            (cacheOutcome, status) = (result.cacheOutcome, result.response?.status ?? status)
        case .received(let status): self.status = status
        case .joined(let result):
            guard attempts == 0 else { return }
            (attempts, status) = (result.attempt, result.response?.status)
        case .finished: isFinished = true
        default: break
        }
    }
}
