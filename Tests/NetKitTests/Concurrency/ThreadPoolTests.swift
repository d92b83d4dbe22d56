import Dispatch
import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Callback threads", .timeLimit(.minutes(15)))
struct ThreadPoolTests {
    private final class Worker {}
    private typealias Pool = ThreadPool<Worker, Int>

    private func started(_ step: Pool.Step) -> Int? {
        if case .start(let job) = step { job } else { nil }
    }

    @Test("starts a few threads as jobs arrive, and reuses the thread that became idle last")
    func reuse() {
        var pool = Pool(promptThreads: 2, maximumThreads: 8)
        let (one, two) = (Worker(), Worker())
        #expect(started(pool.add(1)) == 1)
        #expect(started(pool.add(2)) == 2)
        guard case .wait = pool.add(3) else {
            Issue.record("did not wait")
            return
        }
        #expect(pool.next(for: one) == 3)
        #expect(pool.next(for: one) == nil)
        #expect(pool.next(for: two) == nil)
        guard case .hand(4, to: let worker) = pool.add(4) else {
            Issue.record("not handed to an idle thread")
            return
        }
        #expect(worker === two)
        #expect(pool.threads == 2)
    }

    @Test("doubles the threads while all of them are blocked, up to the maximum")
    func growth() {
        var pool = Pool(promptThreads: 2, maximumThreads: 7)
        for job in 1...10 { _ = pool.add(job) }
        #expect(pool.grow() == [3, 4])
        #expect(pool.grow() == [5, 6, 7])
        #expect(pool.threads == 7)
        #expect(!pool.canGrow)
        #expect(pool.grow().isEmpty)
    }

    @Test("doesn't grow while threads make progress")
    func progress() {
        var pool = Pool(promptThreads: 1, maximumThreads: 8)
        for job in 1...4 { _ = pool.add(job) }
        let worker = Worker()
        #expect(pool.next(for: worker) == 2)
        #expect(pool.grow().isEmpty)
        #expect(pool.canGrow)
        #expect(pool.grow() == [3])
    }

    @Test("ends an idle thread, but not one with a job")
    func ending() {
        var pool = Pool(promptThreads: 1, maximumThreads: 8)
        let worker = Worker()
        _ = pool.add(1)
        _ = pool.next(for: worker)
        _ = pool.add(2)
        let endsAtWork = pool.end(worker)
        #expect(!endsAtWork)
        _ = pool.next(for: worker)
        let ends = pool.end(worker)
        #expect(ends)
        #expect(pool.threads == 0)
        #expect(started(pool.add(3)) == 3)
    }

    @Test("gives a job whose thread didn't start to an idle thread, or queues it")
    func takingBack() {
        var pool = Pool(promptThreads: 2, maximumThreads: 8)
        let worker = Worker()
        #expect(started(pool.add(1)) == 1)
        guard case .wait = pool.takeBack(1) else {
            Issue.record("not queued")
            return
        }
        #expect(pool.threads == 0 && pool.canGrow)
        #expect(pool.grow() == [1])
        #expect(started(pool.add(2)) == 2)
        #expect(pool.next(for: worker) == nil)
        guard case .hand(2, to: let other) = pool.takeBack(2) else {
            Issue.record("not handed to the idle thread")
            return
        }
        #expect(other === worker)
        #expect(pool.threads == 1)
    }

    @Test("starts one thread at a time after one that didn't start")
    func shortage() {
        var pool = Pool(promptThreads: 2, maximumThreads: 8)
        for job in 1...6 { _ = pool.add(job) }
        for job in pool.grow() { _ = pool.takeBack(job) }
        #expect(pool.threads == 2)
        #expect(pool.grow() == [5])
        #expect(pool.grow() == [6, 3, 4])
    }

    @Test("runs a job once the system has a thread left")
    func refusedThreads() async {
        let starts = Locked(0)
        let threads = CallbackThreads(promptThreads: 2) { body in
            let number = starts.withLock { count in
                count += 1
                return count
            }
            return number > 3 && CallbackThreads.startThread(body)
        }
        await withCheckedContinuation { continuation in
            threads.run { continuation.resume() }
        }
        #expect(starts.withLock { $0 } == 4)
    }

    @Test("runs a job while any number of others block")
    func blocked() async {
        let threads = CallbackThreads(promptThreads: 2)
        let release = DispatchSemaphore(value: 0)
        let blockedJobs = 200
        for _ in 0..<blockedJobs { threads.run { release.wait() } }
        await withCheckedContinuation { continuation in
            threads.run { continuation.resume() }
        }
        for _ in 0..<blockedJobs { release.signal() }
    }

    @Test("releases a job's captures after it has run")
    func releasing() async {
        let threads = CallbackThreads(promptThreads: 1)
        await withCheckedContinuation { continuation in
            let held = Released { continuation.resume() }
            threads.run { withExtendedLifetime(held) {} }
        }
    }

    @Test("releases the captures of a queued job where a job can be added")
    func releasingQueued() async {
        let threads = CallbackThreads(promptThreads: 1, maximumThreads: 1)
        let gate = DispatchSemaphore(value: 0)
        threads.run { gate.wait() }
        await withCheckedContinuation { continuation in
            let held = Released { threads.run { continuation.resume() } }
            threads.run { withExtendedLifetime(held) {} }
            for _ in 0..<2 { threads.run {} }
            gate.signal()
        }
    }
}

/// An object of a user, which uses ours as it is released.
final class Released: Sendable {
    private let onRelease: @Sendable () -> Void

    init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

    deinit { onRelease() }
}
