import Foundation
import NetKitSupport

/// A reason why a call has no complete response.
///
/// This is the only failure type inside the engine, whatever the request's error type.
package indirect enum CallFailure: Error {
    case transport(TransportError)
    case timeout(TimeoutPhase)
    case cancelled
    case invalidRequest(InvalidRequest)
    /// A closure, an interceptor, or a sequence of the user threw.
    case interceptor(any Error)

    package init(_ reason: StopReason) {
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
        case is SpoolFailure, is DownloadFailure:
            self = .transport(TransportError(.other, underlying: error))
        case let error as any PlacedFailure: self = error.callFailure
        case is CancellationError: self = .cancelled
        default: self = .interceptor(error)
        }
    }

    /// Returns whether an error of a refresh only says that the calls of its endpoint were ended.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - isCancelled: Whether all calls of the endpoint were canceled since the refresh began.
    /// - Returns: Whether it says only that.
    package static func isStop(_ error: any Error, whenCancelled isCancelled: Bool) -> Bool {
        // What a user's own code throws has its own meaning.
        guard !(error is CancellationError) else { return false }
        return switch CallFailure(thrown: error) {
        // A request that the refresh itself canceled failed like any other.
        case .cancelled: isCancelled
        case .invalidRequest(let error): error.reason == .endpointShutDown
        case .transport, .timeout, .interceptor: false
        }
    }

    /// The same failure, which names its request.
    package func of(_ request: EncodedRequest) -> CallFailure {
        switch self {
        case .transport(let error): .transport(error.of(request.label))
        case .timeout(let phase): .timeout(phase.of(request.label))
        case .interceptor(let error as any PlacedFailure): .interceptor(error.of(request.label))
        case .cancelled, .invalidRequest, .interceptor: self
        }
    }

    /// The error of a token refresh, which says so if its type has room for that.
    static func ofRefresh(_ error: any Error) -> any Error {
        (error as? any PlacedFailure)?.duringRefresh() ?? error
    }

    /// One line for logs that says what failed and why, without a server's words.
    var line: String {
        let error = ErrorResponse<ServerMessage>(self)
        // The message of another call's error, such as a refresh, has the words of its server.
        if case .interceptor = self { return error.shown }
        return error.message
    }
}

/// An error of another call, such as a refresh, that the current call waited for.
private protocol PlacedFailure: Error {
    /// The failure of the current call.
    ///
    /// It has the same kind, except for errors with a response, which is a response to the other call.
    var callFailure: CallFailure { get }
    /// The same error of a token refresh.
    func duringRefresh() -> Self
    /// The error of a token refresh with the request of the call that waited for it; any other error unchanged.
    func of(_ request: @autoclosure () -> String) -> Self
}

extension ErrorResponse: PlacedFailure {
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

    fileprivate func duringRefresh() -> ErrorResponse {
        switch self {
        case .transport(let error): .transport(error.duringRefresh())
        case .timeout(let phase): .timeout(phase.duringRefresh())
        case .cancelled: .cancelled
        case .invalidRequest(let error): .invalidRequest(error.duringRefresh())
        case .interceptor(let error): .interceptor(CallFailure.ofRefresh(error))
        case .server, .undecodableServerError, .decoding: changingResponse { $0.duringRefresh() }
        }
    }

    fileprivate func of(_ request: @autoclosure () -> String) -> ErrorResponse {
        let request = request()
        return changingResponse { $0.of(request) }
    }

    private func changingResponse(_ change: (HTTPResponse) -> HTTPResponse) -> ErrorResponse {
        switch self {
        case .server(let error, let response): .server(error, change(response))
        case .undecodableServerError(let response, let error):
            .undecodableServerError(change(response), underlying: error)
        case .decoding(let response, let error): .decoding(change(response), underlying: error)
        case .transport, .timeout, .cancelled, .invalidRequest, .interceptor: self
        }
    }
}

extension StreamFailure: PlacedFailure {
    fileprivate var callFailure: CallFailure {
        switch self {
        case .transport(let error): .transport(error)
        case .timeout(let phase): .timeout(phase)
        case .cancelled: .cancelled
        case .readerTooSlow, .lineTooLong, .unexpectedStatus: .interceptor(self)
        }
    }

    fileprivate func duringRefresh() -> StreamFailure {
        switch self {
        case .transport(let error): .transport(error.duringRefresh())
        case .timeout(let phase): .timeout(phase.duringRefresh())
        case .cancelled, .readerTooSlow, .lineTooLong, .unexpectedStatus: self
        }
    }

    fileprivate func of(_ request: @autoclosure () -> String) -> StreamFailure { self }
}

extension TransportError: PlacedFailure {
    fileprivate var callFailure: CallFailure { .transport(self) }
}

extension InvalidRequest: PlacedFailure {
    fileprivate var callFailure: CallFailure { .invalidRequest(self) }
    fileprivate func of(_ request: @autoclosure () -> String) -> InvalidRequest { self }
}

extension URLError: PlacedFailure {
    fileprivate var callFailure: CallFailure { .interceptor(self) }
    fileprivate func duringRefresh() -> URLError { at(place.duringRefresh()) }
    fileprivate func of(_ request: @autoclosure () -> String) -> URLError {
        place.isInRefresh ? at(place.of(request())) : self
    }
}

extension ErrorResponse {
    package init(_ failure: CallFailure) {
        switch failure {
        case .transport(let error): self = .transport(error)
        case .timeout(let phase): self = .timeout(phase)
        case .cancelled: self = .cancelled
        case .invalidRequest(let error): self = .invalidRequest(error)
        case .interceptor(let error): self = .interceptor(error)
        }
    }
}
