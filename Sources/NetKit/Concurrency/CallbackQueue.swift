import Dispatch
import Foundation

/// The queue or threads that run an operation's closures.
enum CallbackQueue: Sendable {
    case dispatch(DispatchQueue)
    case threads(CallbackThreads)

    /// Chooses the user's queue, or the platform's default.
    ///
    /// The default is the main queue on Apple platforms. On Linux, where the main queue may not be running, it is
    /// NetKit's threads.
    init(_ queue: DispatchQueue?) {
        #if canImport(Darwin)
        self = .dispatch(queue ?? .main)
        #else
        self = queue.map { .dispatch($0) } ?? .threads(.shared)
        #endif
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        switch self {
        case .dispatch(let queue): queue.async(execute: work)
        case .threads(let threads): threads.run(work)
        }
    }

    static func == (one: CallbackQueue, other: CallbackQueue) -> Bool {
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
final class CallbackThreads: Sendable {
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

    private struct State {
        var pool: ThreadPool<Worker, Job>
        /// Whether the clock checks for blocked threads.
        var isWatching = false
    }

    static let shared = CallbackThreads(promptThreads: 2)

    /// The time that jobs wait before more threads start, in nanoseconds.
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

    /// Runs a job as soon as a thread is available.
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

/// The scheduling of jobs on ``CallbackThreads``, as a pure value.
///
/// A few threads start when jobs arrive. More threads start only if no queued job began for a while. All threads are
/// then blocked, so that more threads help, rather than merely busy.
struct ThreadPool<Worker: AnyObject, Job> {
    /// The next step for a new job.
    enum Step {
        /// Hand the job to an idle thread.
        case hand(Job, to: Worker)
        /// Start a thread with the job.
        case start(Job)
        /// Keep the job in the queue, and call ``grow()`` after a while.
        case wait
    }

    private let promptThreads: Int
    private let maximumThreads: Int
    /// The idle threads.
    ///
    /// The last one gets the next job, so that the others can end.
    private var idle: [Worker] = []
    private var queued: ArraySlice<Job> = []
    /// Whether a queued job has begun since ``grow()``.
    private var hasMoved = false

    private(set) var threads = 0

    /// Creates a pool without threads.
    ///
    /// - Parameters:
    ///   - promptThreads: The number of threads that start without delay.
    ///   - maximumThreads: The maximum number of threads.
    init(promptThreads: Int, maximumThreads: Int) {
        self.promptThreads = promptThreads
        self.maximumThreads = maximumThreads
    }

    /// Whether jobs are queued and more threads can start.
    var canGrow: Bool { !queued.isEmpty && threads < maximumThreads }

    mutating func add(_ job: Job) -> Step {
        if let worker = idle.popLast() { return .hand(job, to: worker) }
        if threads < promptThreads {
            threads += 1
            return .start(job)
        }
        queued.append(job)
        return .wait
    }

    /// Records that a thread finished its job.
    ///
    /// - Returns: The thread's next job, or nil if the thread is now idle.
    mutating func next(for worker: Worker) -> Job? {
        if let job = popQueued() { return job }
        idle.append(worker)
        return nil
    }

    /// Starts more threads if jobs were queued for a while and none began.
    ///
    /// - Returns: The jobs for the new threads, which at most double the number of threads.
    mutating func grow() -> [Job] {
        guard !hasMoved else {
            hasMoved = false
            return []
        }
        let count = min(max(1, threads), maximumThreads - threads)
        let started = (0..<count).compactMap { _ in popQueued() }
        threads += started.count
        hasMoved = false
        return started
    }

    /// Records that a thread was idle for too long.
    ///
    /// - Returns: Whether the thread ends. If false, it was just handed a job.
    mutating func end(_ worker: Worker) -> Bool {
        guard let index = idle.lastIndex(where: { $0 === worker }) else { return false }
        idle.remove(at: index)
        threads -= 1
        return true
    }

    private mutating func popQueued() -> Job? {
        guard let job = queued.popFirst() else { return nil }
        hasMoved = true
        // A slice retains its removed elements.
        if queued.isEmpty { queued = [] }
        return job
    }
}
