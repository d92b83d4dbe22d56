@_spi(Adapters) package import NetKit

/// `error.type`: one of few values, which never depend on what a server or a user wrote.
package enum ErrorType {
    /// The type of a status code; nil for one that is no failure.
    package static func of(_ status: HTTPStatus) -> String? {
        status.rawValue >= 400 ? "\(status.rawValue)" : nil
    }

    /// The type of an error of `next`; nil for a reader who left a stream after a 2xx head, which is no failure.
    package static func of(_ error: any Error, noted note: SendNote) -> String? {
        let type = of(error)
        let isLeft = note.isStream && note.status?.isSuccessful == true && type == "cancelled"
        return isLeft ? nil : type
    }

    /// The type of an error that an interceptor gets or throws.
    ///
    /// - Parameter error: The error.
    /// - Returns: `timeout`, `cancelled`, `invalid_request`, the kind of a ``TransportError``, a status code, or the name
    ///   of the error's type.
    package static func of(_ error: any Error) -> String {
        if let failure = error as? ErrorResponse<ServerMessage> {
            switch failure {
            case .transport(let error): return of(error)
            case .timeout: return "timeout"
            case .cancelled: return "cancelled"
            case .invalidRequest: return "invalid_request"
            case .server(_, let response), .undecodableServerError(let response, _):
                return "\(response.statusCode)"
            case .decoding: return "decoding"
            case .interceptor(let error): return name(of: error)
            }
        }
        switch error {
        case let error as TransportError: return "\(error.kind)"
        case let error as any CallError where error.isCancellation: return "cancelled"
        case let error as any CallError where error.isTimeout: return "timeout"
        case is CancellationError: return "cancelled"
        default: return name(of: error)
        }
    }

    /// The name of a type with its module, but without the address that stands for the context of a private type.
    private static func name(of error: any Error) -> String {
        String(reflecting: type(of: error))
            .replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
    }
}
