package import Dispatch
import Foundation

/// The queue or threads that run an operation's closures.
package enum CallbackQueue: Sendable {
    case dispatch(DispatchQueue)
    case threads(CallbackThreads)

    /// Chooses the user's queue, or the platform's default.
    ///
    /// The default is the main queue on Apple platforms. On Linux, where the main queue may not be running, it is
    /// NetKit's threads.
    package init(_ queue: DispatchQueue?) {
        #if canImport(Darwin)
        self = .dispatch(queue ?? .main)
        #else
        self = queue.map { .dispatch($0) } ?? .threads(.shared)
        #endif
    }

    package func run(_ work: @escaping @Sendable () -> Void) {
        switch self {
        case .dispatch(let queue): queue.async(execute: work)
        case .threads(let threads): threads.run(work)
        }
    }

    package static func == (one: CallbackQueue, other: CallbackQueue) -> Bool {
        switch (one, other) {
        case (.dispatch(let one), .dispatch(let other)): one === other
        case (.threads(let one), .threads(let other)): one === other
        case (.dispatch, .threads), (.threads, .dispatch): false
        }
    }
}

/// Threads that run the user's closures, which may block for any length of time.
///
/// Swift's and Dispatch's threads aren't suitable: they are few, and the engine and URLSession depend on them.
package final class CallbackThreads: Sendable {
    typealias Job = @Sendable () -> Void

    /// A thread, and the job handed to it while it was idle.
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

    private struct State: ~Copyable {
        var pool: ThreadPool<Worker, Job>
        /// Whether the clock checks for blocked threads.
        var isWatching = false

        /// Returns whether the clock must begin to check for blocked threads.
        mutating func beginWatching() -> Bool {
            guard pool.canGrow, !isWatching else { return false }
            isWatching = true
            return true
        }
    }

    static let shared = CallbackThreads(promptThreads: 2)

    /// The time that jobs wait before more threads start, in nanoseconds.
    private static let patience: UInt64 = 10_000_000
    private static let idleTime = DispatchTimeInterval.seconds(5)

    private let state: Locked<State>
    private let startThread: Start

    init(
        promptThreads: Int,
        maximumThreads: Int = 512,
        startThread: @escaping Start = CallbackThreads.startThread
    ) {
        self.startThread = startThread
        let pool = ThreadPool<Worker, Job>(
            promptThreads: promptThreads,
            maximumThreads: maximumThreads
        )
        state = Locked(State(pool: pool))
    }

    /// Runs a job as soon as a thread is available.
    func run(_ job: @escaping Job) {
        let (step, isFirst) = state.withLock { state in
            let step = state.pool.add(job)
            return (step, state.beginWatching())
        }
        take(step, watching: isFirst)
    }

    private func take(_ step: ThreadPool<Worker, Job>.Step, watching isFirst: Bool) {
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
        guard !startThread({ self.work(worker) }) else { return }
        // Another thread runs the job, or one that the clock starts later.
        let (step, isFirst) = state.withLock { state in
            let step = state.pool.takeBack(job)
            return (step, state.beginWatching())
        }
        take(step, watching: isFirst)
    }

    /// Runs jobs until the thread has been idle for too long.
    private func work(_ worker: Worker) {
        while true {
            var job = worker.takeJob()
            while let next = job {
                next()
                // Release the closure's captures before waiting for the next job.
                job = nil
                job = state.withLock { $0.pool.next(for: worker) }
            }
            guard worker.signal.wait(timeout: .now() + Self.idleTime) == .timedOut else { continue }
            if state.withLock({ $0.pool.end(worker) }) { return }
            // A job was handed over, and its signal is about to arrive.
            worker.signal.wait()
        }
    }
}

extension CallbackThreads {
    /// A closure that starts a thread, and returns whether the system had one left.
    typealias Start = @Sendable (_ body: @escaping Job) -> Bool

    /// What a thread does.
    private final class Body: Sendable {
        let run: Job

        init(run: @escaping Job) { self.run = run }
    }

    /// Starts a thread, whose refusal `Thread` wouldn't report.
    static func startThread(_ body: @escaping Job) -> Bool {
        let context = Unmanaged.passRetained(Body(run: body))
        #if canImport(Darwin) || canImport(Musl)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = pthread_create(
            &thread,
            nil,
            { context in
                pthread_detach(pthread_self())
                // Not optional on Apple platforms.
                guard let context = context as UnsafeMutableRawPointer? else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context.toOpaque()
        )
        if code != 0 { context.release() }
        return code == 0
    }
}

extension CallbackThreads: DeadlineOwner {
    package func deadlineReached(at now: UInt64) -> UInt64? {
        let (jobs, goesOn) = state.withLock { state in
            let jobs = state.pool.grow()
            state.isWatching = state.pool.canGrow
            return (jobs, state.isWatching)
        }
        for job in jobs { start(job) }
        return goesOn ? now + Self.patience : nil
    }
}
