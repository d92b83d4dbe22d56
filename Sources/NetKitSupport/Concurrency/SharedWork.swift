/// Work of one call that others may wait for: a transfer, a request for the cache, or a refresh.
///
/// A call that waited for work that it is part of would wait forever. So would calls that wait for each other's work in a
/// circle. A call therefore asks ``beginWait()`` first.
package struct SharedWork: Hashable, Sendable {
    /// A wait of a task for work.
    package struct Waiting: Sendable {
        fileprivate let work: SharedWork
        /// The work that the task is part of.
        fileprivate let waiting: Set<SharedWork>

        /// Ends the wait.
        package func end() {
            guard !waiting.isEmpty else { return }
            SharedWork.waits.withLock { waits in
                for waiter in waiting {
                    let count = (waits[waiter]?[work] ?? 0) - 1
                    waits[waiter]?[work] = count > 0 ? count : nil
                    if waits[waiter]?.isEmpty == true { waits[waiter] = nil }
                }
            }
        }
    }

    /// A run of a work, which tasks that it started may outlive.
    package final class Part: Sendable {
        fileprivate let work: SharedWork
        fileprivate let isOver = Locked(false)

        fileprivate init(of work: SharedWork) { self.work = work }
    }

    /// What the current task was started by, also indirectly.
    @TaskLocal package static var parts: [Part] = []

    /// The work that the current task is part of, with the work that this work is part of.
    static var current: Set<SharedWork> {
        let parts = parts
        // Most tasks are part of nothing that others wait for.
        guard !parts.isEmpty else { return [] }
        return Set(parts.lazy.filter { !$0.isOver.withLock { $0 } }.map(\.work))
    }

    /// The work that each work waits for, with the number of waits.
    private static let waits = Locked<[SharedWork: [SharedWork: Int]]>([:])

    private let id = ProcessUniqueID()
    /// Whether the work is the refresh of a credential.
    private let isRefresh: Bool

    package init(isRefresh: Bool = false) { self.isRefresh = isRefresh }

    /// Whether the current task is part of the work.
    package var isCurrent: Bool { Self.current.contains(self) }

    /// The refreshes that the current task is part of.
    package static var refreshes: Set<SharedWork> { current.filter(\.isRefresh) }

    /// Whether the current task is part of a refresh.
    package static var isInRefresh: Bool { current.contains(where: \.isRefresh) }

    /// Runs a handler as a part of what its call belongs to, because handlers run outside of the call's task.
    package static func run(asPartOf parts: [Part], _ handler: () -> Void) {
        guard !parts.isEmpty else { return handler() }
        $parts.withValue(parts, operation: handler)
    }

    /// Runs `body` as a part of the work, with all tasks that it starts, until it returns.
    package func run<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let part = Part(of: self)
        defer { part.isOver.withLock { $0 = true } }
        // Without what is over: calls that start one another, each within another work, would have ever more parts.
        let outer = Self.parts.filter { part in !part.isOver.withLock { $0 } }
        let result = await Self.$parts.withValue(outer + [part]) {
            () async -> Result<Value, Failure> in
            do throws(Failure) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Notes that the current task waits for the work.
    ///
    /// - Returns: The wait, to be ended with ``Waiting/end()``. Nil if the work waits for something that the task is part
    ///   of, so that the task must not wait for it.
    package func beginWait() -> Waiting? {
        let own = Self.current
        guard !own.isEmpty else { return Waiting(work: self, waiting: []) }
        let mayWait = Self.waits.withLock { waits in
            guard !reaches(own, by: waits) else { return false }
            for waiter in own { waits[waiter, default: [:]][self, default: 0] += 1 }
            return true
        }
        return mayWait ? Waiting(work: self, waiting: own) : nil
    }

    /// Returns whether the work is, or waits for, one of others.
    private func reaches(
        _ others: Set<SharedWork>,
        by waits: [SharedWork: [SharedWork: Int]]
    ) -> Bool {
        var (known, next): (Set<SharedWork>, [SharedWork]) = ([self], [self])
        while let work = next.popLast() {
            if others.contains(work) { return true }
            for other in waits[work, default: [:]].keys where known.insert(other).inserted {
                next.append(other)
            }
        }
        return false
    }
}
