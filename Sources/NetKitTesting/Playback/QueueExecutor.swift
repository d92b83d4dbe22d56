import Dispatch

extension DispatchQueue {
    /// Runs work on this queue with the task-local values of the current task, such as Swift Testing's current test.
    ///
    /// The work may block its thread. Systems without task executors run it without these values.
    ///
    /// - Parameter work: The work.
    func runInTask(_ work: @escaping @Sendable () -> Void) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            Task(executorPreference: QueueExecutor(self)) { work() }
        } else {
            async(execute: work)
        }
    }
}

/// Runs the jobs of tasks on a dispatch queue.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
