/// A decoded value together with the response it was made from.
///
/// Its descriptions and its mirror leave the value out, which may be a secret such as a token.
public struct Response<Value: Sendable>: Sendable {
    /// What the body was decoded to.
    public let value: Value
    /// The response as it came, body included.
    public let http: HTTPResponse
    /// What ``Endpoint/cache`` did for it.
    public let cacheOutcome: CacheOutcome
    /// How often the request was sent, redirects not counted: 1 without a retry, 0 where a stored response was used.
    public let attempts: Int
    /// The time from the first send to the decoded value, waits between attempts included.
    public let duration: Duration
    /// What became of each attempt, in order, and why it was followed by another or not.
    public let history: [AttemptTrace]

    /// Makes a response, for tests.
    ///
    /// - Parameters:
    ///   - value: What the body was decoded to.
    ///   - http: The response as it came.
    ///   - cacheOutcome: What a cache did. Defaults to nothing.
    ///   - attempts: How often the request was sent. Defaults to 1.
    ///   - duration: The time from the first send to the decoded value. Defaults to zero.
    ///   - history: What became of each attempt. Defaults to none.
    package init(
        value: Value,
        http: HTTPResponse,
        cacheOutcome: CacheOutcome = .none,
        attempts: Int = 1,
        duration: Duration = .zero,
        history: [AttemptTrace] = []
    ) {
        self.value = value
        self.http = http
        self.cacheOutcome = cacheOutcome
        self.attempts = attempts
        self.duration = duration
        self.history = history
    }
}

extension Response: Concealed {
    /// One line without secrets: the value's type, the HTTP response, the attempts and the time.
    public var description: String {
        let sends = attempts == 1 ? "1 attempt" : "\(attempts) attempts"
        return "\(Value.self) from \(http) in \(sends), \(duration)"
    }
}
