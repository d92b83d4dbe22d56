/// One attempt that is over: what was sent last, and how it ended.
struct AttemptRecord: Sendable {
    /// How it ended, before the response was read for a value or an error.
    enum Ending: Sendable {
        case response(HTTPResponse)
        case failed(CallFailure)
    }

    /// The request as it was sent last, after redirects.
    let request: EncodedRequest
    let ending: Ending
    /// When it began, on the endpoint's clock.
    let start: UInt64
    /// Which attempt it is, counted from 1.
    let number: Int
}

/// Why there is no whole response: the same for requests of every type.
enum CallFailure: Error {
    case transport(TransportError)
    case timeout(TimeoutPhase)
    case cancelled
    case invalidRequest(InvalidRequest)
    /// A closure or a sequence of the caller's own threw.
    case interceptor(any Error)

    init(_ reason: StopReason) {
        switch reason {
        case .cancelled: self = .cancelled
        case .totalDeadline: self = .timeout(.total)
        }
    }
}

extension ErrorResponse {
    init(_ failure: CallFailure) {
        switch failure {
        case .transport(let error): self = .transport(error)
        case .timeout(let phase): self = .timeout(phase)
        case .cancelled: self = .cancelled
        case .invalidRequest(let error): self = .invalidRequest(error)
        case .interceptor(let error): self = .interceptor(error)
        }
    }
}
