/// Why a call has no complete response: the one failure type inside the engine, whatever the request's error type.
indirect enum CallFailure: Error {
    case transport(TransportError)
    case timeout(TimeoutPhase)
    case cancelled
    case invalidRequest(InvalidRequest)
    /// A closure, interceptor or sequence of the user threw.
    case interceptor(any Error)

    init(_ reason: StopReason) {
        switch reason {
        case .cancelled: self = .cancelled
        case .totalDeadline: self = .timeout(.total)
        }
    }

    /// What an error means that user code threw or passed on.
    init(thrown error: any Error) {
        switch error {
        case let failure as CallFailure: self = failure
        case let error as TransportError: self = .transport(error)
        case is SpoolFailure, is DownloadFailure:
            self = .transport(TransportError(.other, underlying: error))
        case let error as InvalidRequest: self = .invalidRequest(error)
        case let error as ErrorResponse<ServerMessage>: self.init(error)
        case is CancellationError: self = .cancelled
        default: self = .interceptor(error)
        }
    }

    private init(_ error: ErrorResponse<ServerMessage>) {
        switch error {
        case .transport(let error): self = .transport(error)
        case .timeout(let phase): self = .timeout(phase)
        case .cancelled: self = .cancelled
        case .invalidRequest(let error): self = .invalidRequest(error)
        case .interceptor(let error): self = .interceptor(error)
        case .server, .undecodableServerError, .decoding: self = .interceptor(error)
        }
    }

    /// One line that says what failed and why.
    var message: String { ErrorResponse<ServerMessage>(self).message }

    /// Whether the call is over, whatever a retrier or a policy would send instead.
    var endsCall: Bool {
        switch self {
        case .cancelled, .timeout(.total): true
        case .transport, .timeout(.idle), .invalidRequest, .interceptor: false
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
