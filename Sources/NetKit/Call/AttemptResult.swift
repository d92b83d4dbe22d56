/// The result of sending a request through a layer and the layers below it.
///
/// Every layer holds one while it decides, and every waiting call has a frame for each layer: so it is one reference.
struct AttemptResult: Sendable {
    /// How it ended, before the response is decoded.
    enum Outcome: Sendable {
        case response(HTTPResponse)
        case failure(CallFailure)
    }

    /// What can be known of an attempt.
    struct Parts: Sendable {
        /// The request as it was last sent, after redirects.
        var request: EncodedRequest
        var outcome: Outcome
        /// Whether the retry policy has nothing to say: not the exchange failed, but a credential or the body.
        var isFinal = false
        /// How long the parts of the last exchange took; nil if there was none.
        var phases: ExchangePhases?
        /// The number of body bytes that a file or a reader got; nil if the body is in memory.
        var streamedLength: Int64?
        /// The response that ``Authentication`` did not recover from, as it failed or was cancelled.
        var unrecovered: HTTPResponse?
        /// The number of the attempt, counted from 1.
        var attempt = 1
        /// Whether a request went to the transport; false where an interceptor answered by itself.
        var isSent = false
        /// How many attempts of the call sent a request.
        var sentAttempts = 0
        /// What a cache did for it.
        var cacheOutcome = CacheOutcome.none
        /// Answers with a stale response if the call would fail; nil where there is none, or it must not.
        var fallback: (any Layer)?
        /// Whether the operation knows of the attempt already, as another one was to follow.
        var isDebugged = false
        /// The traces of all attempts, this one included, once the retry layer has decided.
        var history: [AttemptTrace] = []

        init(_ request: EncodedRequest, _ outcome: Outcome) {
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

    /// Creates a result of all its parts.
    init(_ parts: Parts) {
        shared = Shared(parts)
    }

    init(_ request: EncodedRequest, _ outcome: Outcome) {
        self.init(Parts(request, outcome))
    }

    /// Creates the result of a request that ended without a complete response.
    init(_ request: EncodedRequest, failure: CallFailure, isFinal: Bool = false) {
        var parts = Parts(request, .failure(failure))
        parts.isFinal = isFinal
        self.init(parts)
    }

    /// Changes several parts in one step.
    @inline(never)
    mutating func change(_ change: (inout Parts) -> Void) {
        var parts = shared.parts
        change(&parts)
        shared = Shared(parts)
    }

    var request: EncodedRequest { shared.parts.request }
    var outcome: Outcome { shared.parts.outcome }
    var isFinal: Bool { shared.parts.isFinal }
    var phases: ExchangePhases? { shared.parts.phases }
    var streamedLength: Int64? { shared.parts.streamedLength }
    var unrecovered: HTTPResponse? { shared.parts.unrecovered }
    var attempt: Int { shared.parts.attempt }
    var isSent: Bool { shared.parts.isSent }
    var sentAttempts: Int { shared.parts.sentAttempts }
    var cacheOutcome: CacheOutcome { shared.parts.cacheOutcome }
    var fallback: (any Layer)? { shared.parts.fallback }
    var isDebugged: Bool { shared.parts.isDebugged }
    var history: [AttemptTrace] { shared.parts.history }

    /// The complete response, if there is one.
    var response: HTTPResponse? {
        if case .response(let response) = shared.parts.outcome { response } else { nil }
    }

    /// Why there is no complete response; nil if there is one.
    var failure: CallFailure? {
        if case .failure(let failure) = shared.parts.outcome { failure } else { nil }
    }

    /// Whether a 2xx response came.
    var isSuccess: Bool { response?.status.isSuccessful == true }

    /// Replaces the outcome by a failure.
    mutating func fail(_ failure: CallFailure) {
        change { $0.outcome = .failure(failure.of($0.request)) }
    }
}
