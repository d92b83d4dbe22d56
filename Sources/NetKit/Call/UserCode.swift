/// Runs user code, which may ignore cancellation, within a call that can be canceled.
enum UserCode {
    /// Whether the current task runs code of a call, so that its requests belong to that call.
    @TaskLocal static var belongsToCall = false

    /// Runs `body` in a new task.
    ///
    /// - Parameters:
    ///   - control: The call's control. A stop ends the wait at once, cancels the task, and discards its result.
    ///   - body: The code to run, with the caller's task-local values.
    /// - Returns: The result of the code, or the failure of the call.
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

    /// Starts `body` and waits until it ends or the call is stopped.
    @inline(never)
    private static func start(
        _ control: CallControl,
        _ body: @escaping @Sendable () async -> Void
    ) async -> Task<Void, Never> {
        let wait = Wait()
        let task = Task {
            await $belongsToCall.withValue(true) { await body() }
            wait.finish()
        }
        await wait.run(control)
        return task
    }
}
