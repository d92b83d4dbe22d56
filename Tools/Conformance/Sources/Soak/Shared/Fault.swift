import NetKit

/// A failure that the client orders from the server for one operation, in a header field.
///
/// It never concerns another operation: the server announces it when it closes a connection after a whole response.
struct Fault: Hashable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        /// The server closes the connection before it answers.
        case close
        /// The server resets the connection before it answers.
        case reset
        /// The answer breaks off in its body.
        case cut
        /// The server reads the request and never answers.
        case stall
        /// The answer stops in its body, and the connection stays open.
        case stallInBody
        /// The answer isn't HTTP.
        case malformed
        /// The server answers with a 503.
        case unavailable
        /// The answer arrives slowly. The operation succeeds.
        case drip
        /// The server closes the connection after a whole answer. The operation succeeds.
        case closeAfter
    }

    enum Times: String, Sendable { case once, always }

    let kind: Kind
    let times: Times
    /// The number of body bytes before the failure, or in each portion of a slow answer.
    let bytes: Int

    static let field: HTTPHeaderName = "Soak-Fault"
    /// The field that names the operation.
    static let operationField: HTTPHeaderName = "Soak-Operation"

    init(_ kind: Kind, _ times: Times, bytes: Int = 3) {
        (self.kind, self.times, self.bytes) = (kind, times, bytes)
    }

    /// Reads the header field.
    init?(_ value: String) {
        let parts = value.split(separator: " ").map(String.init)
        guard parts.count == 3, let kind = Kind(rawValue: parts[0]),
            let times = Times(rawValue: parts[1]), let bytes = Int(parts[2])
        else { return nil }
        self.init(kind, times, bytes: bytes)
    }

    var value: String { "\(kind.rawValue) \(times.rawValue) \(bytes)" }

    /// Whether the client has to wait for a time limit.
    var isSilent: Bool { kind == .stall || kind == .stallInBody }

    /// Chooses a fault for every fourth operation.
    ///
    /// Silent servers are rare, because each of them costs a time limit.
    static func random(using random: inout SeededGenerator) -> Fault? {
        guard random.happens(0.25) else { return nil }
        let kinds = Kind.allCases
        let kind =
            random.happens(0.12)
            ? Bool.random(using: &random) ? Kind.stall : .stallInBody
            : kinds.filter { $0 != .stall && $0 != .stallInBody }.randomElement(using: &random)
                ?? .cut
        return Fault(kind, random.happens(0.2) ? .always : .once)
    }
}

// The outcomes that a fault explains.
extension Fault {
    /// The failures of one request.
    ///
    /// Empty if it succeeds. An answer without a body isn't cut.
    var failures: Set<FailureKind> {
        switch kind {
        case .close, .reset: [.transport(.connectionLost)]
        case .cut: [.transport(.truncatedResponse)]
        case .stall, .stallInBody: [.idle]
        case .malformed: [.transport(.malformedResponse)]
        case .unavailable: [.status(503)]
        case .drip, .closeAfter: []
        }
    }

    /// Whether an operation that retries may fail.
    ///
    /// A malformed answer isn't retried. After a silent attempt, a slow machine may miss the short limit again.
    var mayFail: Bool {
        !failures.isEmpty && (times == .always || kind == .malformed || isSilent)
    }

    /// Whether an operation that retries may succeed.
    var maySucceed: Bool { failures.isEmpty || times == .once }
}
