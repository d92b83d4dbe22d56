extension Endpoint {
    /// Refuses new calls, waits for those in flight, and cancels the rest at a deadline.
    ///
    /// Each new call fails at once with ``InvalidRequest/Reason/endpointShutDown`` as ``ErrorResponse/invalidRequest(_:)``,
    /// with callbacks and with `async`. Calls in flight continue:
    ///
    /// - They may send requests that belong to them, such as retries and the refresh of a token.
    /// - A stream is in flight until its last byte, and a batch until its last result.
    /// - Polling, paging and an ``EventSource`` end with the error at their next request.
    ///
    /// When the deadline passes, the endpoint cancels the remaining calls as ``cancelAllRequests()`` does, and waits until
    /// they have ended. Handlers of their outcomes may run a little later.
    ///
    /// Canceling the waiting task ends the deadline at once. A second shutdown waits for the same calls, and the earlier
    /// deadline counts. The endpoint can't be restarted. The shutdown includes all endpoints ``derived(_:)`` from this one,
    /// while the shutdown of a derived endpoint affects only its calls.
    ///
    /// - Parameter deadline: The time for the calls in flight, on the endpoint's clock. Defaults to 30 seconds. Zero or a
    ///   negative value cancels them at once.
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
