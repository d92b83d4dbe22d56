/// The result of sending a request through a layer and the layers below it.
struct AttemptResult: Sendable {
    /// How it ended, before the response is decoded.
    enum Outcome: Sendable {
        case response(HTTPResponse)
        case failure(CallFailure)
    }

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
    /// The traces of all attempts, this one included, once the retry layer has decided.
    var history: [AttemptTrace] = []

    init(_ request: EncodedRequest, _ outcome: Outcome) {
        self.request = request
        self.outcome = outcome
    }

    /// Creates the result of a request that ended without a complete response.
    init(_ request: EncodedRequest, failure: CallFailure, isFinal: Bool = false) {
        self.init(request, .failure(failure))
        self.isFinal = isFinal
    }

    /// The complete response, if there is one.
    var response: HTTPResponse? {
        if case .response(let response) = outcome { response } else { nil }
    }

    /// Why there is no complete response; nil if there is one.
    var failure: CallFailure? {
        if case .failure(let failure) = outcome { failure } else { nil }
    }

    /// Whether a 2xx response came.
    var isSuccess: Bool { response?.status.isSuccessful == true }

    /// Replaces the outcome by a failure.
    mutating func fail(_ failure: CallFailure) { outcome = .failure(failure) }
}
