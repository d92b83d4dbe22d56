/// A reason why a call has no complete response.
///
/// This is the only failure type inside the engine, whatever the request's error type.
indirect enum CallFailure: Error {
    case transport(TransportError)
    case timeout(TimeoutPhase)
    case cancelled
    case invalidRequest(InvalidRequest)
    /// A closure, an interceptor, or a sequence of the user threw.
    case interceptor(any Error)

    init(_ reason: StopReason) {
        switch reason {
        case .cancelled: self = .cancelled
        case .totalDeadline(let limit): self = .timeout(.total(TimeoutDetail(limit: limit)))
        case .shutDown: self = .invalidRequest(InvalidRequest(.endpointShutDown))
        }
    }

    /// Classifies an error that user code threw or passed on.
    init(thrown error: any Error) {
        switch error {
        case let failure as CallFailure: self = failure
        case let error as TransportError: self = .transport(error)
        case is SpoolFailure, is DownloadFailure:
            self = .transport(TransportError(.other, underlying: error))
        case let error as InvalidRequest: self = .invalidRequest(error)
        case let error as any OwnFailure: self = error.callFailure
        case is CancellationError: self = .cancelled
        default: self = .interceptor(error)
        }
    }

    /// The same failure, which names its request.
    func of(_ request: EncodedRequest) -> CallFailure {
        switch self {
        case .transport(let error): .transport(error.of(request.label))
        case .timeout(let phase): .timeout(phase.of(request.label))
        case .cancelled, .invalidRequest, .interceptor: self
        }
    }

    /// One line that says what failed and why.
    var message: String { ErrorResponse<ServerMessage>(self).message }

    /// Whether the call has ended, regardless of the retry policy.
    var endsCall: Bool {
        switch self {
        case .cancelled, .timeout(.total): true
        case .transport, .timeout(.idle), .invalidRequest, .interceptor: false
        }
    }
}

/// An error of another call, such as a refresh, that the current call waited for.
private protocol OwnFailure: Error {
    /// The failure of the current call.
    ///
    /// It has the same kind, except for errors with a response, which is a response to the other call.
    var callFailure: CallFailure { get }
}

extension ErrorResponse: OwnFailure {
    fileprivate var callFailure: CallFailure {
        switch self {
        case .transport(let error): .transport(error)
        case .timeout(let phase): .timeout(phase)
        case .cancelled: .cancelled
        case .invalidRequest(let error): .invalidRequest(error)
        case .interceptor(let error): .interceptor(error)
        case .server, .undecodableServerError, .decoding: .interceptor(self)
        }
    }
}

extension StreamFailure: OwnFailure {
    fileprivate var callFailure: CallFailure {
        switch self {
        case .transport(let error): .transport(error)
        case .timeout(let phase): .timeout(phase)
        case .cancelled: .cancelled
        case .readerTooSlow, .lineTooLong, .unexpectedStatus: .interceptor(self)
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
