import NetKitSupport

/// A decoded value with the response it came from.
///
/// Its descriptions and its mirror omit the value, which may be a secret such as a token.
public struct Response<Value: Sendable>: Sendable {
    /// The response as received, including its body.
    public let http: HTTPResponse
    /// The status of the response.
    public var status: HTTPStatus { http.status }
    /// The header fields of the response.
    public var headers: HTTPHeaders { http.headers }
    /// The part that ``Endpoint/cache`` played in the response.
    public let cacheOutcome: CacheOutcome
    /// The number of attempts that sent the request.
    ///
    /// Redirects and resends after authentication don't count. It is 0 if nothing was sent, for example for a stored
    /// response. Polling adds up the attempts of all its requests.
    public let attempts: Int
    /// The time from the end of the encoding to the decoded value, with that in queues and between attempts.
    public let duration: Duration
    /// The attempts in order, each with its outcome and what followed.
    public let history: [AttemptTrace]
    /// The decoded body.
    public let value: Value

    /// Creates a response for tests.
    ///
    /// - Parameters:
    ///   - value: The decoded body.
    ///   - http: The response as received.
    ///   - cacheOutcome: The part that the cache played. Defaults to ``CacheOutcome/none``.
    ///   - attempts: The number of attempts. Defaults to 1.
    ///   - duration: The time from the first send to the decoded value. Defaults to zero.
    ///   - history: The traces of the attempts. Defaults to none.
    package init(
        value: Value,
        http: HTTPResponse,
        cacheOutcome: CacheOutcome = .none,
        attempts: Int = 1,
        duration: Duration = .zero,
        history: [AttemptTrace] = []
    ) {
        (self.value, self.http, self.cacheOutcome) = (value, http, cacheOutcome)
        (self.attempts, self.duration, self.history) = (attempts, duration, history)
    }
}

extension Response {
    /// The response with a value that isn't nil.
    var withOptionalValue: Response<Value?> {
        Response<Value?>(
            value: value,
            http: http,
            cacheOutcome: cacheOutcome,
            attempts: attempts,
            duration: duration,
            history: history
        )
    }
}

extension Response: Concealed {
    /// A one-line redacted description with the value's type, the response, the attempts, and the duration.
    package var shown: String {
        let sends = attempts == 1 ? "1 attempt" : "\(attempts) attempts"
        return "\(Value.self) from \(http) in \(sends), \(DurationText(duration))"
    }
}

/// The part that the cache played in a response.
public enum CacheOutcome: Sendable, Hashable {
    /// The endpoint has no cache, or the request can't be cached.
    case none
    /// The response came from the server.
    case miss
    /// The response was stored and fresh.
    case hit
    /// The response was stored, and the server confirmed it.
    case revalidated
    /// The response was stored and is stale or unconfirmed.
    ///
    /// The request or the response allowed its use, for example by `stale-if-error` (RFC 5861). A canceled call, or one
    /// that exceeds its total timeout, fails instead.
    case stale
}
