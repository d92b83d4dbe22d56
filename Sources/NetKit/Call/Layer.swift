import Foundation
package import NetKitSupport

/// One layer around an exchange with a server.
///
/// A layer can change the request, answer by itself, send more than once, or inspect the result. It has the next layer
/// below it.
package protocol Layer: Sendable {
    /// Sends a request through this layer and the layers below it.
    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult
}

/// The context that a call passes to every layer.
package struct CallContext: Sendable {
    /// Stops the call and holds its settings and total deadline.
    package internal(set) var control: CallControl
    /// Reports the call's events, or nil without subscribers.
    package let reporter: CallReporter?
    /// The request's settings for the call.
    package let plan: CallPlan
    /// The number of the attempt, starting at 1.
    package var attempt = 1
    /// The time when the request was queued.
    ///
    /// Set by the admission layer.
    var queuedTime: UInt64?
    /// The same time by the wall clock, or nil without subscribers.
    var queuedDate: Date?
    /// Creates the sink of the next response, or nil to collect the body in memory.
    ///
    /// Set by the resume layer.
    package var sink: (@Sendable () -> any BodySink)?

    package init(control: CallControl, reporter: CallReporter?, plan: CallPlan) {
        (self.control, self.reporter, self.plan) = (control, reporter, plan)
    }

    package var clock: DeadlineClock { control.clock }

    /// Returns the idle timeout of the operation, the request, or the endpoint, in this order.
    package func idleTimeout(orDefault endpointTimeout: Duration) -> Duration {
        control.settings.idleTimeout ?? plan.timeout ?? endpointTimeout
    }
}

/// The result of sending a request through a layer and the layers below it.
///
/// It is a single reference, because every layer of every waiting call holds one. What makes one from its properties isn't
/// inlined, because they would be a part of the frame in which an asynchronous function waits.
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
        /// The head of a response whose body failed, without which a redirect can be followed.
        var head: ResponseHead?
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
            if case .failure(let failure) = outcome { self.outcome = .failure(failure.of(request)) }
        }
    }

    private var shared: Box<Parts>

    /// Creates a result from its properties.
    package init(_ parts: Parts) { shared = Box(parts) }

    @inline(never)
    init(_ request: EncodedRequest, _ outcome: Outcome) {
        self.init(Parts(request, outcome))
    }

    /// Creates a result without a complete response.
    @inline(never)
    package init(_ request: EncodedRequest, failure: CallFailure, isFinal: Bool = false) {
        var parts = Parts(request, .failure(failure))
        parts.isFinal = isFinal
        self.init(parts)
    }

    /// Changes several properties in one step.
    @inline(never)
    package mutating func change(_ change: (inout Parts) -> Void) {
        var parts = shared.value
        change(&parts)
        shared = Box(parts)
    }

    package var request: EncodedRequest { shared.value.request }
    package var outcome: Outcome { shared.value.outcome }
    package var isFinal: Bool { shared.value.isFinal }
    package var phases: ExchangePhases? { shared.value.phases }
    package var streamedLength: Int64? { shared.value.streamedLength }
    var head: ResponseHead? { shared.value.head }
    var unrecovered: HTTPResponse? { shared.value.unrecovered }
    package var attempt: Int { shared.value.attempt }
    package var isSent: Bool { shared.value.isSent }
    package var sentAttempts: Int { shared.value.sentAttempts }
    var cacheOutcome: CacheOutcome { shared.value.cacheOutcome }
    package var fallback: (any Layer)? { shared.value.fallback }
    var isDebugged: Bool { shared.value.isDebugged }
    package var history: [AttemptTrace] { shared.value.history }

    /// The complete response, if there is one.
    package var response: HTTPResponse? {
        if case .response(let response) = shared.value.outcome { response } else { nil }
    }

    /// The failure, or nil if there is a complete response.
    var failure: CallFailure? {
        if case .failure(let failure) = shared.value.outcome { failure } else { nil }
    }

    /// Whether there is a 2xx response.
    package var isSuccessful: Bool { response?.status.isSuccessful == true }

    /// Replaces the outcome with a failure.
    mutating func fail(_ failure: CallFailure) {
        change { $0.outcome = .failure(failure.of($0.request)) }
    }
}
