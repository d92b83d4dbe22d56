/// Runs code of the user's own, which need not heed a cancellation, within a call that does.
enum UserCode {
    /// Runs `body` in a task of its own.
    ///
    /// - Parameters:
    ///   - control: Ends the waiting at once when the call is stopped; the task is cancelled, and what
    ///     it does from then on is of no interest.
    ///   - body: The code. It has the task-local values of the caller.
    /// - Returns: What it returned, or how the call ends.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    static func run<Value: Sendable>(
        _ control: CallControl,
        _ body: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, CallFailure> {
        let result = Locked<Result<Value, CallFailure>?>(nil)
        let task = await start(control) {
            let value: Result<Value, CallFailure>
            do {
                value = .success(try await body())
            } catch {
                value = .failure(CallFailure(thrown: error))
            }
            result.withLock { $0 = value }
        }
        if let value = result.withLock({ $0 }) { return value }
        task.cancel()
        return .failure(control.stopped.map { CallFailure($0) } ?? .cancelled)
    }

    /// Starts `body`, and waits until it or the call has ended.
    @inline(never)
    private static func start(
        _ control: CallControl,
        _ body: @escaping @Sendable () async -> Void
    ) async -> Task<Void, Never> {
        let wait = Wait()
        let task = Task {
            await body()
            wait.finish()
        }
        await wait.run(control)
        return task
    }
}
