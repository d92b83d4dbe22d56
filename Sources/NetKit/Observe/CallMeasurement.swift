/// A measurement of a call or of one of its attempts, for metrics.
///
/// ```swift
/// endpoint.observation.registerMeasurements { measurement in
///     Timer(label: "http.client.\(measurement.scope.name)", dimensions: measurement.dimensions)
///         .record(duration: measurement.duration)
/// }
/// ```
///
/// `Timer` in this example is that of swift-metrics.
public struct CallMeasurement: Hashable, Sendable {
    /// The subject of a measurement.
    public enum Scope: Hashable, Sendable {
        /// One attempt including its redirects.
        ///
        /// The value is its number in the call, starting at 1.
        case attempt(Int)
        /// A whole call including its delays.
        ///
        /// The value is the number of attempts, which is 0 for a refused request.
        case call(attempts: Int)

        /// The name of the scope: `attempt` or `call`.
        public var name: String {
            switch self {
            case .attempt: "attempt"
            case .call: "call"
            }
        }
    }

    /// The subject of the measurement.
    public let scope: Scope
    /// The ``Request/name`` of the request.
    package let requestName: String
    /// The method, or an empty string for a refused request.
    package let method: String
    /// The host of the first request, or an empty string for a refused request.
    package let host: String
    /// The status code of the last response, or nil if none arrived.
    public let status: HTTPStatus?
    /// The part that ``Endpoint/cache`` played.
    package let cacheOutcome: CacheOutcome
    /// Whether the call produced a value, or the attempt a 2xx response.
    public let isSuccessful: Bool
    /// The duration of the call or attempt.
    public let duration: Duration

    /// The metric dimensions, as names and values with few distinct values.
    ///
    /// - `request`: The ``Request/name`` of the request.
    /// - `method`: The method.
    /// - `host`: The host of the first request.
    /// - `status`: The status code, or `none`.
    /// - `cache`: `none`, `miss`, `hit`, `revalidated`, or `stale`.
    /// - `outcome`: `success` or `failure`.
    /// - `attempt` or `attempts`: The number of the attempt, or of all attempts of a call.
    public var dimensions: [(String, String)] {
        let count: (String, String) =
            switch scope {
            case .attempt(let number): ("attempt", "\(number)")
            case .call(let attempts): ("attempts", "\(attempts)")
            }
        return [
            ("request", requestName), ("method", method), ("host", host),
            ("status", status.map { "\($0.rawValue)" } ?? "none"),
            ("cache", "\(cacheOutcome)"), ("outcome", isSuccessful ? "success" : "failure"), count,
        ]
    }
}
