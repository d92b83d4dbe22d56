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
    var attempts = 0
    /// The time since the call began.
    var elapsed = Duration.zero
    /// Whether the call is over, so that nothing more is reported.
    var isFinished = false

    /// The summary for subscribers that take attempts alone.
    static let unknown = CallSummary(id: 0, requestType: "")

    /// Notes a report.
    mutating func note(_ report: CallReport) {
        switch report {
        case .queued(let encoded): request = encoded
        case .attempt(let number): (attempts, status) = (number, nil)
        case .received(let status): self.status = status
        case .joined(let result):
            guard attempts == 0 else { return }
            (attempts, status) = (result.attempt, result.response?.status)
        case .finished: isFinished = true
        default: break
        }
    }
}
