/// What the retriers of one call are asked with, and what was decoded to ask them.
struct RetrierSession<R: Request>: Sendable {
    /// What an attempt means to the request.
    typealias Meaning = Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>

    private struct State {
        var request: R
        var decoded: (attempt: Int, meaning: Meaning)?
    }

    let retriers: [any RequestRetrier]
    private let state: Locked<State>

    /// Makes a session; nil where there is nobody to ask.
    init?(_ retriers: [any RequestRetrier], _ request: R) {
        guard !retriers.isEmpty else { return nil }
        self.retriers = retriers
        state = Locked(State(request: request))
    }

    /// The request as it was sent last.
    var request: R { state.withLock { $0.request } }

    /// Goes on with another request.
    func replace(with request: R) {
        state.withLock { $0.request = request }
    }

    /// What the response to an attempt means, which is found out once.
    func meaning(ofAttempt attempt: Int, _ decode: () -> Meaning) -> Meaning {
        if let known = state.withLock({ $0.decoded }), known.attempt == attempt {
            return known.meaning
        }
        let meaning = decode()
        state.withLock { $0.decoded = (attempt, meaning) }
        return meaning
    }
}
