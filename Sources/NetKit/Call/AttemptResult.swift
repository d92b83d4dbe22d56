/// The result of sending a request through a layer and the layers below it.
///
/// It is a single reference, because every layer of every waiting call holds one.
package struct AttemptResult: Sendable {
    /// The response or the failure, before decoding.
    package enum Outcome: Sendable {
        case response(HTTPResponse)
        case failure(CallFailure)
    }

    /// The properties of a result.
    package struct Parts: Sendable {
        /// The request as last sent, after redirects.
        var request: EncodedRequest
        package var outcome: Outcome
        /// Whether the failure isn't retryable, because it concerns a credential or the body.
        var isFinal = false
        /// The timing of the last exchange, or nil if there was none.
        package var phases: ExchangePhases?
        /// The number of body bytes passed to a file or a reader.
        ///
        /// Nil for a body in memory.
        package var streamedLength: Int64?
        /// The response that ``Authentication`` failed to recover from.
        var unrecovered: HTTPResponse?
        /// The number of the attempt, starting at 1.
        package var attempt = 1
        /// Whether a request reached the transport.
        ///
        /// False if an interceptor answered by itself.
        package var isSent = false
        /// The number of attempts that sent a request.
        package var sentAttempts = 0
        /// The part that the cache played.
        package var cacheOutcome = CacheOutcome.none
        /// A layer that answers a failure with a stale response, if possible.
        package var fallback: (any Layer)?
        /// Whether debug handlers have received the attempt, because another one followed.
        var isDebugged = false
        /// The traces of all attempts including this one, set once the retry layer has decided.
        package var history: [AttemptTrace] = []

        package init(_ request: EncodedRequest, _ outcome: Outcome) {
            self.request = request
            self.outcome = outcome
            if case .failure(let failure) = outcome {
                self.outcome = .failure(failure.of(request))
            }
        }
    }

    private final class Shared: Sendable {
        let parts: Parts

        init(_ parts: Parts) {
            self.parts = parts
        }
    }

    private var shared: Shared

    /// Creates a result from its properties.
    package init(_ parts: Parts) {
        shared = Shared(parts)
    }

    init(_ request: EncodedRequest, _ outcome: Outcome) {
        self.init(Parts(request, outcome))
    }

    /// Creates a result without a complete response.
    package init(_ request: EncodedRequest, failure: CallFailure, isFinal: Bool = false) {
        var parts = Parts(request, .failure(failure))
        parts.isFinal = isFinal
        self.init(parts)
    }

    /// Changes several properties in one step.
    @inline(never)
    package mutating func change(_ change: (inout Parts) -> Void) {
        var parts = shared.parts
        change(&parts)
        shared = Shared(parts)
    }

    package var request: EncodedRequest { shared.parts.request }
    package var outcome: Outcome { shared.parts.outcome }
    var isFinal: Bool { shared.parts.isFinal }
    package var phases: ExchangePhases? { shared.parts.phases }
    package var streamedLength: Int64? { shared.parts.streamedLength }
    var unrecovered: HTTPResponse? { shared.parts.unrecovered }
    package var attempt: Int { shared.parts.attempt }
    package var isSent: Bool { shared.parts.isSent }
    package var sentAttempts: Int { shared.parts.sentAttempts }
    var cacheOutcome: CacheOutcome { shared.parts.cacheOutcome }
    package var fallback: (any Layer)? { shared.parts.fallback }
    var isDebugged: Bool { shared.parts.isDebugged }
    package var history: [AttemptTrace] { shared.parts.history }

    /// The complete response, if there is one.
    package var response: HTTPResponse? {
        if case .response(let response) = shared.parts.outcome { response } else { nil }
    }

    /// The failure, or nil if there is a complete response.
    var failure: CallFailure? {
        if case .failure(let failure) = shared.parts.outcome { failure } else { nil }
    }

    /// Whether there is a 2xx response.
    package var isSuccessful: Bool { response?.status.isSuccessful == true }

    /// Replaces the outcome with a failure.
    mutating func fail(_ failure: CallFailure) {
        change { $0.outcome = .failure(failure.of($0.request)) }
    }
}
