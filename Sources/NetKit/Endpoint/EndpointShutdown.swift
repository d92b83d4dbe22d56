extension Endpoint {
    /// Refuses new calls, waits for the calls in flight, and cancels the rest at a deadline.
    ///
    /// From the moment of the call on, each new call fails with ``InvalidRequest/Reason/endpointShutDown`` as
    /// ``ErrorResponse/invalidRequest(_:)``, by callbacks and `async` alike, and nothing is sent. Calls in flight go on:
    /// - They may send requests that belong to them, such as retries and the refresh of a token.
    /// - A stream is in flight until its last byte, and a batch until its last result.
    /// - Polling, paging and an ``EventSource`` end with the error at their next request.
    ///
    /// When the deadline passes, the endpoint cancels the remaining calls as ``cancelAllRequests()`` does, and waits until
    /// they have ended. Handlers of their outcomes may run a little later.
    ///
    /// Cancelling the task that waits here makes the deadline pass at once. A second shutdown waits for the same calls; of
    /// two deadlines, the earlier one counts. An endpoint that is shut down stays so. So do the endpoints that are
    /// ``derived(_:)`` from it; the shutdown of a derived endpoint concerns its own calls alone.
    ///
    /// - Parameter deadline: The time for the calls in flight, on the endpoint's clock. Defaults to 30 seconds. Zero and
    ///   less cancels them at once.
    public func shutdown(deadline: Duration = .seconds(30)) async {
        let control = CallControl(clock: clock)
        if let wait = calls.withLock({ $0.drain() }) {
            await withTaskCancellationHandler {
                await wait.run(control, atMost: deadline, clock: clock)
            } onCancel: {
                control.stop(.cancelled)
            }
        }
        let wait = calls.withLock { $0.close() }
        cancelAllRequests()
        if let wait { await wait.run(CallControl(clock: clock)) }
    }
}
