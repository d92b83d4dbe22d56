import Foundation

/// What every layer knows about the call that it works for.
struct CallContext: Sendable {
    /// Stops the call, and holds its settings and its total deadline.
    let control: CallControl
    let clock: DeadlineClock
    /// Takes the events of the call; nil without subscribers.
    let reporter: CallReporter?
    /// What the request says about its call.
    ///
    /// A retrier that replaces the request replaces the plan as well.
    var plan: CallPlan
    /// The number of the attempt, counted from 1.
    var attempt = 1
    /// When the request began to wait for a connection slot; set by the admission layer.
    var queuedTime: UInt64?
    /// The same by the wall clock; nil without subscribers.
    var queuedDate: Date?
    /// Makes the sink of the next response; nil to collect the body in memory.
    ///
    /// Set by the resume layer.
    var sink: (@Sendable () -> any BodySink)?

    init(control: CallControl, clock: DeadlineClock, reporter: CallReporter?, plan: CallPlan) {
        self.control = control
        self.clock = clock
        self.reporter = reporter
        self.plan = plan
    }

    /// The longest silence: the operation's, else the request's, else the endpoint's.
    func idleTimeout(orDefault endpointTimeout: Duration) -> Duration {
        control.settings.idleTimeout ?? plan.timeout ?? endpointTimeout
    }

    /// Runs user code, which need not respond to cancellation, until it ends or the call is stopped.
    func run<Value: Sendable>(
        _ code: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, CallFailure> {
        await UserCode.run(control, code)
    }
}
