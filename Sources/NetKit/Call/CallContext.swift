import Foundation

/// The context that a call passes to every layer.
package struct CallContext: Sendable {
    /// Stops the call and holds its settings and total deadline.
    package let control: CallControl
    package let clock: DeadlineClock
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

    package init(
        control: CallControl,
        clock: DeadlineClock,
        reporter: CallReporter?,
        plan: CallPlan
    ) {
        self.control = control
        self.clock = clock
        self.reporter = reporter
        self.plan = plan
    }

    /// Returns the idle timeout of the operation, the request, or the endpoint, in this order.
    package func idleTimeout(orDefault endpointTimeout: Duration) -> Duration {
        control.settings.idleTimeout ?? plan.timeout ?? endpointTimeout
    }

    /// Runs user code, which may ignore cancellation, until the code or the call ends.
    func run<Value: Sendable>(
        _ code: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, CallFailure> {
        await UserCode.run(control, code)
    }
}
