import Dispatch

/// Runs the work on one file in order, on its own thread.
///
/// A hanging disk or an unreachable network file system blocks only the calls for this file. All calls for one file
/// share its queue, so a later call sees the results of an earlier one.
package final class FileQueue: Sendable {
    private struct Entry {
        weak var queue: FileQueue?
        let id: ObjectIdentifier

        init(_ queue: FileQueue) {
            self.queue = queue
            id = ObjectIdentifier(queue)
        }
    }

    /// The queues in use, by the paths of their files.
    private static let queues = Locked<[String: Entry]>([:])

    private let path: String
    private let queue = DispatchQueue(label: "NetKit.file", qos: .userInitiated)

    private init(_ path: String) {
        self.path = path
    }

    deinit {
        Self.queues.withLock { queues in
            // A new queue may have replaced this one. It isn't retained here: its release would need the lock.
            if let entry = queues[path], entry.id == ObjectIdentifier(self) { queues[path] = nil }
        }
    }

    /// Returns the queue for the file at a path.
    package static func of(_ path: String) -> FileQueue {
        queues.withLock { queues in
            // Bound first, because a debug build of Swift 6.3 reads garbage when optional chaining leads to a weak
            // reference beside other fields.
            if let entry = queues[path], let queue = entry.queue { return queue }
            let queue = FileQueue(path)
            queues[path] = Entry(queue)
            return queue
        }
    }

    /// Enqueues `work` behind all earlier work.
    @inline(never)
    package func add(_ work: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            work()
            // Keeps the queue alive while it has work, so that a file never has two queues.
            withExtendedLifetime(self) {}
        }
    }

    /// Runs `work` behind all earlier work and blocks the current thread until it finishes.
    package func wait<Value>(_ work: () throws -> Value) rethrows -> Value {
        try queue.sync(execute: work)
    }

    /// Runs `work` behind all earlier work and awaits its result.
    ///
    /// - Parameter work: The closure to run. It may block.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error.
    @inline(never)
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            add { continuation.resume(returning: Result { try work() }) }
        }
        return try result.get()
    }
}
