/// One attempt that is over: what was sent last, and how it ended.
struct AttemptRecord: Sendable {
    /// How it ended, before the response was read for a value or an error.
    enum Ending: Sendable {
        case response(HTTPResponse)
        case failed(CallFailure)

        /// The response, if a whole one came.
        var response: HTTPResponse? {
            if case .response(let response) = self { response } else { nil }
        }

        /// Why there is no whole response, in one line; nil if there is one.
        var failure: String? {
            if case .failed(let failure) = self { failure.message } else { nil }
        }
    }

    /// The request as it was sent last, after redirects.
    let request: EncodedRequest
    var ending: Ending
    /// When it began, on the endpoint's clock.
    let start: UInt64
    /// Which attempt it is, counted from 1.
    let number: Int
    /// How long its last exchange took; nil where none began.
    var phases: ExchangePhases?
    /// The response that ``Authentication`` failed to make good.
    var unrecovered: HTTPResponse?
    /// What became of all attempts so far.
    var history: [AttemptTrace] = []

    /// Whether the observers of attempts have heard of it.
    var isObserved = false

    /// The response, if a whole one came.
    var response: HTTPResponse? { ending.response }
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

extension AttemptRecord.Ending {
    /// What an outcome comes to.
    init(_ outcome: AttemptOutcome, of request: EncodedRequest) {
        switch outcome {
        case .response(let head, let body):
            self = .response(HTTPResponse(to: request, head, body: body))
        case .answered(let response): self = .response(response)
        case .failed(let error): self = .failed(.transport(error))
        case .idleTimeout: self = .failed(.timeout(.idle))
        case .stopped(let reason): self = .failed(CallFailure(reason))
        case .refused(let failure): self = .failed(failure)
        }
    }
}

extension CallFailure {
    /// One line that says what went wrong.
    var message: String { ErrorResponse<ServerMessage>(self).message }

    /// What an error means that code of the user's own threw, or let through.
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
