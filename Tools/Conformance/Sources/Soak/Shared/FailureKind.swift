import NetKit

/// The kind of a failure, without its details, to compare.
enum FailureKind: Hashable, Sendable {
    case status(Int)
    case idle
    case deadline
    case cancelled
    case transport(TransportError.Kind)
    case other(String)

    init(_ error: any Error) {
        switch error {
        case let error as ErrorResponse<ServerMessage>: self.init(response: error)
        case let error as StreamFailure: self.init(stream: error)
        default: self = .other("\(error)")
        }
    }

    private init(response error: ErrorResponse<ServerMessage>) {
        switch error {
        case .server(_, let response), .undecodableServerError(let response, _):
            self = .status(response.statusCode)
        case .timeout(let phase): self = phase == .total ? .deadline : .idle
        case .cancelled: self = .cancelled
        case .transport(let error): self = .transport(error.kind)
        case .decoding, .invalidRequest, .interceptor: self = .other("\(error)")
        }
    }

    private init(stream error: StreamFailure) {
        switch error {
        case .unexpectedStatus(let status): self = .status(status.rawValue)
        case .timeout(let phase): self = phase == .total ? .deadline : .idle
        case .cancelled: self = .cancelled
        case .transport(let error): self = .transport(error.kind)
        case .lineTooLong, .readerTooSlow: self = .other("\(error)")
        }
    }
}
