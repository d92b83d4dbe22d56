/// How long an attempt of a call, or the whole of it, took and what came of it: what metrics are made of.
///
/// ```swift
/// endpoint.observation.registerMeasurements { measurement in
///     Timer(label: "http.client.\(measurement.scope.name)", dimensions: measurement.dimensions)
///         .record(duration: measurement.duration)
/// }
/// ```
///
/// There `Timer` is that of swift-metrics.
public struct CallMeasurement: Hashable, Sendable {
    /// What was measured.
    public enum Scope: Hashable, Sendable {
        /// One attempt, redirects included, and which one of its call it was, counted from 1.
        case attempt(Int)
        /// A whole call with its waits, and how many attempts it had; 0 for one that was refused.
        case call(attempts: Int)

        /// `attempt` or `call`.
        public var name: String {
            switch self {
            case .attempt: "attempt"
            case .call: "call"
            }
        }
    }

    /// What was measured.
    public let scope: Scope
    /// The type of the request.
    package let requestType: String
    /// The method; empty for a request that was refused.
    package let method: String
    /// The host that it went to at first; empty for a request that was refused.
    package let host: String
    /// The status of the last response; nil where none came.
    public let status: HTTPStatus?
    /// What ``Endpoint/cache`` did for it.
    package let cacheOutcome: CacheOutcome
    /// Whether a value came of it; for an attempt, whether a 2xx response did.
    public let isSuccess: Bool
    /// How long it took.
    public let duration: Duration

    /// All but the duration as names and values, of which there are not too many different ones:
    /// `request`, `method`, `host`, `status` (`none` without one), `cache` (`none`, `miss`, `hit`, `revalidated` or `stale`),
    /// `outcome` (`success` or `failure`), and `attempt` or `attempts`.
    public var dimensions: [(String, String)] {
        let count: (String, String) =
            switch scope {
            case .attempt(let number): ("attempt", "\(number)")
            case .call(let attempts): ("attempts", "\(attempts)")
            }
        return [
            ("request", requestType), ("method", method), ("host", host),
            ("status", status.map { "\($0.rawValue)" } ?? "none"),
            ("cache", "\(cacheOutcome)"), ("outcome", isSuccess ? "success" : "failure"), count,
        ]
    }
}
