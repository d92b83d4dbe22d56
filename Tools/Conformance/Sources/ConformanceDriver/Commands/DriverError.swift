import NetKit

/// An error as the suites read it.
struct DriverError: Error, Encodable {
    /// The stage and the case, such as `transport.connectionLost`.
    let kind: String
    let message: String

    init(kind: String, message: String) {
        self.kind = kind
        self.message = message
    }

    init<Failure>(_ error: ErrorResponse<Failure>) {
        let kind =
            switch error {
            case .server, .undecodableServerError: "server"
            case .decoding: "decoding"
            case .invalidRequest(let invalid): "invalidRequest.\(Self.name(of: invalid.reason))"
            case .timeout: "timeout"
            case .cancelled: "cancelled"
            case .transport(let failure): "transport.\(Self.name(of: failure.kind))"
            case .interceptor: "interceptor"
            }
        self.init(kind: kind, message: "\(error)")
    }

    init(_ error: StreamFailure) {
        self.init(kind: "stream.\(Self.name(of: error))", message: "\(error.message)")
    }

    /// The name of an enumeration's case, without its values.
    static func name(of value: some Sendable) -> String {
        let mirror = Mirror(reflecting: value)
        return mirror.children.first?.label ?? "\(value)"
    }
}
