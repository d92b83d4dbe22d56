/// The scheduling of jobs on threads, as a pure value.
///
/// A few threads start when jobs arrive. More threads start only if no queued job began for a while. All threads are
/// then blocked, so that more threads help, rather than merely busy.
package struct ThreadPool<Worker: AnyObject, Job> {
    /// The next step for a new job.
    package enum Step {
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
    private var queued: ArraySlice<Job?> = []
    /// Whether a queued job has begun since ``grow()``.
    private var hasMoved = false
    /// Whether a thread didn't start since ``grow()``.
    private var isShort = false

    private(set) var threads = 0

    /// Creates a pool without threads.
    ///
    /// - Parameters:
    ///   - promptThreads: The number of threads that start without delay.
    ///   - maximumThreads: The maximum number of threads.
    package init(promptThreads: Int, maximumThreads: Int) {
        self.promptThreads = promptThreads
        self.maximumThreads = maximumThreads
    }

    /// Whether jobs are queued and more threads can start.
    package var canGrow: Bool { !queued.isEmpty && threads < maximumThreads }

    package mutating func add(_ job: Job) -> Step {
        if idle.isEmpty, threads < promptThreads {
            threads += 1
            return .start(job)
        }
        return handOrQueue(job)
    }

    /// Takes back a job whose thread didn't start, because the system has none left.
    ///
    /// - Returns: The next step, which isn't to start a thread.
    package mutating func takeBack(_ job: Job) -> Step {
        threads -= 1
        isShort = true
        return handOrQueue(job)
    }

    private mutating func handOrQueue(_ job: Job) -> Step {
        if let worker = idle.popLast() { return .hand(job, to: worker) }
        queued.append(job)
        return .wait
    }

    /// Records that a thread finished its job.
    ///
    /// - Returns: The thread's next job, or nil if the thread is now idle.
    package mutating func next(for worker: Worker) -> Job? {
        if let job = popQueued() { return job }
        idle.append(worker)
        return nil
    }

    /// Starts more threads if jobs were queued for a while and none began.
    ///
    /// - Returns: The jobs for the new threads, which at most double the number of threads. At most one after a thread
    ///   that didn't start.
    package mutating func grow() -> [Job] {
        guard !hasMoved else {
            hasMoved = false
            return []
        }
        let count = min(isShort ? 1 : max(1, threads), maximumThreads - threads)
        let started = (0..<count).compactMap { _ in popQueued() }
        threads += started.count
        (hasMoved, isShort) = (false, false)
        return started
    }

    /// Records that a thread was idle for too long.
    ///
    /// - Returns: Whether the thread ends. If false, it was just handed a job.
    package mutating func end(_ worker: Worker) -> Bool {
        guard let index = idle.lastIndex(where: { $0 === worker }) else { return false }
        idle.remove(at: index)
        threads -= 1
        return true
    }

    private mutating func popQueued() -> Job? {
        guard case .some(let job?) = queued.takeFirst(leaving: nil) else { return nil }
        hasMoved = true
        return job
    }
}

extension ArraySlice {
    /// Removes and returns the first element.
    ///
    /// A slice retains its removed elements, and would release them later, maybe under its owner's lock.
    ///
    /// - Parameter rest: The value that stays in the element's place in memory.
    /// - Returns: The element, or nil if there is none.
    package mutating func takeFirst(leaving rest: Element) -> Element? {
        guard let first = indices.first else { return nil }
        let element = self[first]
        self[first] = rest
        removeFirst()
        return element
    }
}
