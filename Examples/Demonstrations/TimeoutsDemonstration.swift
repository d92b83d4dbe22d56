import NetKit

/// The idle timeout and the total deadline, both exact to the millisecond.
struct TimeoutsDemonstration: Demonstration {
    let name = "timeouts"
    let summary = "time out after 300 ms without a byte, or after 600 ms in total"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        let endpoint = context.endpoint

        // For one call. By default, a GET is retried after an idle timeout.
        context.asked(
            "DelayRequest(seconds: 10).execute(on: endpoint).timeout(after: .milliseconds(300)).retryOnFail(false)"
        )
        let idle = await timeout {
            DelayRequest(seconds: 10).execute(on: endpoint).timeout(after: .milliseconds(300))
                .retryOnFail(false)
        }
        context.cameBack("\(idle)")
        try context.expect(
            idle.phase == .idle && idle.after >= .milliseconds(300),
            "the call ended at the idle timeout"
        )

        // For all calls of an endpoint. A byte arrives every 0.2 s, so the call is never idle.
        endpoint.timeouts = Timeouts(idle: .seconds(2), total: .milliseconds(600))
        context.asked(
            """
            endpoint.timeouts = Timeouts(idle: .seconds(2), total: .milliseconds(600))
            DripRequest(bytes: 50, seconds: 10).execute(on: endpoint)
            """
        )
        let total = await timeout { DripRequest(bytes: 50, seconds: 10).execute(on: endpoint) }
        context.cameBack("\(total)")
        try context.expect(
            total.phase == .total && total.after >= .milliseconds(600),
            "the call ended at the total deadline"
        )
    }

    /// Returns the timeout that ended the call, and the elapsed time.
    private func timeout<R: Request>(
        of start: () -> RequestExecutionOperation<R>
    ) async -> Ending {
        let beginning = ContinuousClock.now
        do {
            _ = try await start().value
            return Ending(phase: nil, message: "a value", after: .now - beginning)
        } catch {
            guard case .timeout(let phase) = error else {
                return Ending(phase: nil, message: error.message, after: .now - beginning)
            }
            return Ending(phase: phase, message: error.message, after: .now - beginning)
        }
    }

    private struct Ending: CustomStringConvertible {
        let phase: TimeoutPhase?
        let message: String
        let after: Duration

        var description: String { "\(message), after \(Int(after / .milliseconds(1))) ms" }
    }
}
