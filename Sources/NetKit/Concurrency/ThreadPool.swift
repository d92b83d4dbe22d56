/// Which thread of ``CallbackThreads`` runs which job, and when another thread starts; a pure value.
///
/// A few threads start as jobs arrive. More start only if for a while no queued job could begin: then all threads
/// are blocked, where more threads help, and not merely busy, where they don't.
struct ThreadPool<Worker: AnyObject, Job> {
    /// What becomes of a new job.
    enum Step {
        /// Hand the job to this idle thread.
        case hand(Job, to: Worker)
        /// Start a thread with the job.
        case start(Job)
        /// The job is queued; ``grow()`` follows after a while.
        case wait
    }

    private let promptThreads: Int
    private let maximumThreads: Int
    /// The last thread to become idle gets the next job, so that the others can end.
    private var idle: [Worker] = []
    private var queued: ArraySlice<Job> = []
    /// Whether a queued job has begun since ``grow()``.
    private var hasMoved = false

    /// The number of threads.
    private(set) var threads = 0

    /// Makes a pool without threads.
    ///
    /// - Parameters:
    ///   - promptThreads: How many threads start without delay.
    ///   - maximumThreads: The most threads there are.
    init(promptThreads: Int, maximumThreads: Int) {
        self.promptThreads = promptThreads
        self.maximumThreads = maximumThreads
    }

    /// Whether jobs are queued that more threads may help.
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

    /// A thread has done its job.
    ///
    /// - Returns: Its next job; nil if it is idle now.
    mutating func next(for worker: Worker) -> Job? {
        if let job = popQueued() { return job }
        idle.append(worker)
        return nil
    }

    /// A while has passed with jobs in the queue.
    ///
    /// - Returns: The jobs to start threads with: as many as there are threads already.
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

    /// A thread has been idle for long.
    ///
    /// - Returns: Whether it ends; if not, it has just been handed a job.
    mutating func end(_ worker: Worker) -> Bool {
        guard let index = idle.lastIndex(where: { $0 === worker }) else { return false }
        idle.remove(at: index)
        threads -= 1
        return true
    }

    private mutating func popQueued() -> Job? {
        guard let job = queued.popFirst() else { return nil }
        hasMoved = true
        // A slice holds on to what was taken from it.
        if queued.isEmpty { queued = [] }
        return job
    }
}
