import Dispatch

/// Does the work on one file in order, on a thread that nothing else waits for.
///
/// A disk that hangs, or a network file system whose server is gone, holds up the calls for this file and no
/// others. All calls for one file share its queue, so that one that comes after another finds what that one left.
final class FileQueue: Sendable {
    private struct Entry {
        weak var queue: FileQueue?
    }

    /// The queues that are in use, by the paths of their files.
    private static let queues = Locked<[String: Entry]>([:])

    private let path: String
    private let queue = DispatchQueue(label: "NetKit.file", qos: .userInitiated)

    private init(_ path: String) {
        self.path = path
    }

    deinit {
        Self.queues.withLock { queues in
            // Another one may have taken its place by now.
            if queues[path]?.queue == nil { queues[path] = nil }
        }
    }

    /// The queue of the file at a path.
    static func of(_ path: String) -> FileQueue {
        queues.withLock { queues in
            if let queue = queues[path]?.queue { return queue }
            let queue = FileQueue(path)
            queues[path] = Entry(queue: queue)
            return queue
        }
    }

    /// Does `work` behind all that was added before.
    @inline(never)
    func add(_ work: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            work()
            // As long as there is work, there is no other queue for the file.
            withExtendedLifetime(self) {}
        }
    }

    /// Does `work` behind all that was added before, and holds up this thread until it is done.
    func wait<Value>(_ work: () throws -> Value) rethrows -> Value {
        try queue.sync(execute: work)
    }

    /// Does `work` behind all that was added before, and waits for it.
    ///
    /// - Parameter work: What to do; it may block.
    /// - Returns: What it returned.
    /// - Throws: What it threw.
    @inline(never)
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            add { continuation.resume(returning: Result { try work() }) }
        }
        return try result.get()
    }
}
