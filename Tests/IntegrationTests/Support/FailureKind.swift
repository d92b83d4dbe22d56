import NetKit

/// An ``ErrorResponse`` without most of what it carries, to be compared.
enum FailureKind: Hashable, Sendable {
    case server(Int)
    case undecodableServerError(Int)
    case decoding(Int)
    case invalidRequest(InvalidRequest.Reason)
    case timeout(TimeoutPhase)
    case cancelled
    case transport(TransportError.Kind)
    case interceptor
}

extension ErrorResponse {
    /// The case, with the status or the reason.
    var kind: FailureKind {
        switch self {
        case .server(_, let response): .server(response.statusCode)
        case .undecodableServerError(let response, _): .undecodableServerError(response.statusCode)
        case .decoding(let response, _): .decoding(response.statusCode)
        case .invalidRequest(let invalid): .invalidRequest(invalid.reason)
        case .timeout(let phase): .timeout(phase)
        case .cancelled: .cancelled
        case .transport(let error): .transport(error.kind)
        case .interceptor: .interceptor
        }
    }

    /// What the converter, the decoding or the server error threw.
    var underlying: (any Error)? {
        switch self {
        case .undecodableServerError(_, let underlying), .decoding(_, let underlying),
            .interceptor(let underlying):
            underlying
        case .transport(let error): error.underlying
        case .server, .invalidRequest, .timeout, .cancelled: nil
        }
    }
}
