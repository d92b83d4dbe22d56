import Dispatch

#if !canImport(Darwin)
/// Runs operations on Dispatch's threads, where closures of the user's may follow and may block.
///
/// The pool that tasks run on otherwise has a thread a core, and must never wait for anything. An
/// operation that ends where its closures can run needs no other thread to run them.
final class CallbackExecutor: TaskExecutor {
    static let shared = CallbackExecutor()

    let queue = DispatchQueue.global(qos: .userInitiated)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
#endif
