/// Runs code of the user's own, which need not heed a cancellation, within a call that does.
enum UserCode {
    /// Runs `body` in a task of its own.
    ///
    /// - Parameters:
    ///   - control: Ends the waiting at once when the call is stopped; the task is cancelled, and what
    ///     it does from then on is of no interest.
    ///   - body: The code. It has the task-local values of the caller.
    /// - Returns: What it returned, or how the call ends.
    static func run<Value: Sendable>(
        _ control: CallControl,
        _ body: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, CallFailure> {
        let result = Locked<Result<Value, CallFailure>?>(nil)
        let wait = Wait()
        let task = Task {
            let value: Result<Value, CallFailure>
            do {
                value = .success(try await body())
            } catch {
                value = .failure(CallFailure(thrown: error))
            }
            result.withLock { $0 = value }
            wait.finish()
        }
        await wait.run(control)
        if let value = result.withLock({ $0 }) { return value }
        task.cancel()
        return .failure(control.stopped.map { CallFailure($0) } ?? .cancelled)
    }
}
