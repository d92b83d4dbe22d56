/// Why a result was given up; addresses are without user, password and query values.
public enum PollingFailure: Error, Hashable, Sendable {
    /// The result was not ready in time: the next request would have come after ``PollingPolicy/limit``.
    case notReady(after: Duration)
    /// The address to ask is at another origin than the request, or the response that names it came from
    /// there.
    ///
    /// See ``OtherOrigins``.
    case otherOrigin(String)
    /// The address to ask is no http or https URL, or it is http and the response came by https.
    case invalidLocation(String)
}

extension PollingFailure: CustomStringConvertible {
    /// One lower-case line without secrets.
    public var description: String {
        switch self {
        case .notReady(let limit): "the result was not ready within \(limit)"
        case .otherOrigin(let address): "the result is at another origin: \(address)"
        case .invalidLocation(let address): "the result cannot be asked for: \(address)"
        }
    }
}

extension PollingFailure {
    init(_ refusal: LinkTrail.Refusal) {
        switch refusal {
        case .invalid(let address): self = .invalidLocation(address)
        case .otherOrigin(let address): self = .otherOrigin(address)
        }
    }
}
