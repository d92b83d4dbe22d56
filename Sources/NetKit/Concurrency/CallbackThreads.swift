import Dispatch
import Foundation

/// Threads that run closures of the user's, which may block for as long as they like.
///
/// Neither Swift's nor Dispatch's threads will do: there are few of them, and the engine and URLSession work on them.
final class CallbackThreads: Sendable {
    typealias Job = @Sendable () -> Void

    /// A thread, as far as it is waiting for a job.
    private final class Worker: Sendable {
        let signal = DispatchSemaphore(value: 0)
        let job = Locked<Job?>(nil)

        func takeJob() -> Job? {
            job.withLock { job in
                defer { job = nil }
                return job
            }
        }
    }

    private struct State {
        var pool: ThreadPool<Worker, Job>
        /// Whether the clock is to ask if threads are blocked.
        var isWatching = false
    }

    static let shared = CallbackThreads(promptThreads: 2)

    /// How long jobs wait before more threads start, in nanoseconds.
    private static let patience: UInt64 = 10_000_000
    private static let idleTime = DispatchTimeInterval.seconds(5)

    private let state: Locked<State>

    init(promptThreads: Int, maximumThreads: Int = 512) {
        let pool = ThreadPool<Worker, Job>(
            promptThreads: promptThreads,
            maximumThreads: maximumThreads
        )
        state = Locked(State(pool: pool))
    }

    /// Runs `job`, as soon as there is a thread for it.
    func run(_ job: @escaping Job) {
        let (step, isFirst) = state.withLock { state in
            let step = state.pool.add(job)
            let isFirst = state.pool.canGrow && !state.isWatching
            if isFirst { state.isWatching = true }
            return (step, isFirst)
        }
        switch step {
        case .hand(let job, let worker):
            worker.job.withLock { $0 = job }
            worker.signal.signal()
        case .start(let job): start(job)
        case .wait: break
        }
        if isFirst {
            let clock = DeadlineClock.shared
            _ = clock.insert(self, at: clock.now + Self.patience)
        }
    }

    private func start(_ job: @escaping Job) {
        let worker = Worker()
        worker.job.withLock { $0 = job }
        Thread.detachNewThread { self.work(worker) }
    }

    /// The life of a thread.
    private func work(_ worker: Worker) {
        while true {
            var job = worker.takeJob()
            while let next = job {
                next()
                // What a closure holds is not to wait for the next one.
                job = nil
                job = state.withLock { $0.pool.next(for: worker) }
            }
            guard worker.signal.wait(timeout: .now() + Self.idleTime) == .timedOut else { continue }
            if state.withLock({ $0.pool.end(worker) }) { return }
            // The signal is on its way.
            worker.signal.wait()
        }
    }
}

extension CallbackThreads: DeadlineOwner {
    func deadlineReached(at now: UInt64) -> UInt64? {
        let (jobs, goesOn) = state.withLock { state in
            let jobs = state.pool.grow()
            state.isWatching = state.pool.canGrow
            return (jobs, state.isWatching)
        }
        for job in jobs { start(job) }
        return goesOn ? now + Self.patience : nil
    }
}
