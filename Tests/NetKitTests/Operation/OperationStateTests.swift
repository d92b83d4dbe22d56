import Testing

@testable import NetKit
@testable import NetKitSupport

@Suite("Operation state")
struct OperationStateTests {
    /// Collects what deliveries do, in order.
    final class Log: Sendable {
        private let lines = Locked<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    typealias State = OperationState

    /// Runs everything that is owed.
    private func drain(_ state: inout State) {
        while let delivery = state.nextDelivery() { delivery.run() }
    }

    private func state(logging log: Log) -> State {
        var state = State()
        _ = state.addStartHandler { log.add("start") }
        _ = state.addProgressHandler { log.add("progress \($0)") }
        _ = state.addInfoHandler { log.add("debug \($0)") }
        _ = state.addOutcomeHandler { log.add("outcome \($0)") }
        return state
    }

    @Test("delivers start, progress, debug information and outcome in order")
    func order() {
        let log = Log()
        var state = state(logging: log)
        #expect(state.start() == .drain)
        #expect(state.transferred(.download(50, since: 0), at: 0) == .nothing)
        #expect(state.attempted("one") == .nothing)
        _ = state.finish(7)
        drain(&state)
        #expect(log.all == ["start", "progress 0.5", "debug one", "outcome 7"])
    }

    @Test("runs handlers in the order they were added")
    func several() {
        let log = Log()
        var state = State()
        for number in 1...3 { _ = state.addOutcomeHandler { log.add("\(number): \($0)") } }
        _ = state.finish(5)
        drain(&state)
        #expect(log.all == ["1: 5", "2: 5", "3: 5"])
    }

    @Test("runs a late handler of any kind at once")
    func late() {
        let log = Log()
        var state = State()
        _ = state.start()
        _ = state.transferred(.download(25, since: 0), at: 0)
        _ = state.attempted("one")
        _ = state.attempted("two")
        _ = state.finish(1)
        drain(&state)
        #expect(state.addStartHandler { log.add("start") } == .drain)
        _ = state.addProgressHandler { log.add("progress \($0)") }
        _ = state.addInfoHandler { log.add("debug \($0)") }
        _ = state.addOutcomeHandler { log.add("outcome \($0)") }
        drain(&state)
        #expect(log.all == ["start", "progress 0.25", "debug one", "debug two", "outcome 1"])
    }

    @Test("keeps the first outcome, and drops later events")
    func once() {
        let log = Log()
        var state = state(logging: log)
        #expect(state.finish(1).action == .drain)
        #expect(state.finish(2).action == .nothing)
        #expect(state.transferred(.download(100, since: 0), at: 0) == .nothing)
        #expect(state.attempted("late") == .nothing)
        drain(&state)
        _ = state.addInfoHandler { log.add("debug \($0)") }
        drain(&state)
        #expect(log.all == ["outcome 1"])
        #expect(state.outcome as? Int == 1)
    }

    @Test("has a listener with a handler of the outcome, a waiter, or the outcome")
    func listeners() {
        var handled = State()
        #expect(!handled.hasListener)
        _ = handled.addStartHandler {}
        #expect(!handled.hasListener)
        _ = handled.addOutcomeHandler { _ in }
        #expect(handled.hasListener)
        var awaited = State()
        #expect(awaited.addWaiter { _ in } as? Int == nil)
        #expect(awaited.hasListener)
        var finished = State()
        _ = finished.finish(1)
        #expect(finished.hasListener)
    }

    @Test("watches transfers for a handler of progress or of transfers")
    func watching() {
        var (idle, progress, transfers) = (State(), State(), State())
        _ = idle.addOutcomeHandler { _ in }
        _ = progress.addProgressHandler { _ in }
        _ = transfers.addTransferHandler { _ in }
        #expect(!idle.isWatchingTransfers)
        #expect(progress.isWatchingTransfers && transfers.isWatchingTransfers)
    }

    @Test("sets a timer once for a count that came too early to report")
    func transferTimer() {
        let log = Log()
        var state = State()
        _ = state.addTransferHandler { log.add("\($0.count.count)") }
        _ = state.start()
        #expect(state.takeTransferTimer(at: 0) == nil)
        _ = state.transferred(.download(10, since: 0), at: 0)
        _ = state.transferred(.download(20, since: 0), at: 1)
        #expect(state.takeTransferTimer(at: 1) == TransferMeter.interval - 1)
        #expect(state.takeTransferTimer(at: 2) == nil)
        _ = state.reportLatestTransfer(at: 1_000_000_000)
        drain(&state)
        #expect(log.all == ["10", "20"])
        _ = state.transferred(.download(30, since: 0), at: 1_000_000_001)
        _ = state.finish(1)
        #expect(state.takeTransferTimer(at: 1_000_000_001) == nil)
    }

    @Test("reports at most twenty times a second with a late timer, and the count of a stall")
    func lateTimer() {
        let log = Log()
        var state = State()
        _ = state.addTransferHandler { log.add("\($0.count.count)") }
        var timer: UInt64?
        func setTimer(at now: UInt64) {
            if let delay = state.takeTransferTimer(at: now) { timer = now + delay + 1_500_000 }
        }
        func fire(at now: UInt64) {
            timer = nil
            _ = state.reportLatestTransfer(at: now)
            setTimer(at: now)
        }
        for time in 0...Int64(5_001) {
            let now = UInt64(time) * 1_000_000
            if let due = timer, due <= now { fire(at: now) }
            let count = TransferCount(
                isUpload: false,
                count: time,
                total: nil,
                since: 0,
                isMain: true
            )
            _ = state.transferred(count, at: now)
            setTimer(at: now)
        }
        drain(&state)
        #expect(log.all == (0...100).map { "\($0 * 50)" })
        while let due = timer { fire(at: due) }
        drain(&state)
        #expect(log.all.count == 102 && log.all.last == "5001")
    }

    @Test("starts once, and not after the end")
    func startsOnce() {
        let log = Log()
        var state = state(logging: log)
        _ = state.start()
        _ = state.start()
        drain(&state)
        #expect(log.all == ["start"])

        var ended = self.state(logging: log)
        _ = ended.finish(1)
        #expect(ended.start() == .nothing)
        _ = ended.addStartHandler { log.add("late start") }
        drain(&ended)
        #expect(log.all == ["start", "outcome 1"])
    }

    @Test("requests one drain until the queue is empty")
    func oneDrain() {
        var state = State()
        _ = state.addStartHandler {}
        _ = state.addOutcomeHandler { _ in }
        #expect(state.start() == .drain)
        #expect(state.finish(1).action == .nothing)
        #expect(state.hasDeliveries)
        drain(&state)
        #expect(!state.hasDeliveries)
        #expect(state.addOutcomeHandler { _ in } == .drain)
    }

    @Test("requests nothing without handlers")
    func silent() {
        var state = State()
        #expect(state.start() == .nothing)
        #expect(state.transferred(.download(50, since: 0), at: 0) == .nothing)
        #expect(state.attempted("one") == .nothing)
        #expect(state.finish(1).action == .nothing)
        #expect(!state.hasDeliveries)
    }

    @Test("releases its handlers at the end")
    func forgets() {
        final class Held: Sendable {}
        var state = State()
        weak var held: Held?
        do {
            let strong = Held()
            held = strong
            _ = state.addStartHandler { _ = strong }
            _ = state.addProgressHandler { _ in _ = strong }
            _ = state.addTransferHandler { _ in _ = strong }
            _ = state.addInfoHandler { _ in _ = strong }
            _ = state.addOutcomeHandler { _ in _ = strong }
            _ = state.start()
            _ = state.finish(1)
            _ = state.addProgressHandler { _ in _ = strong }
            _ = state.addTransferHandler { _ in _ = strong }
            _ = state.addInfoHandler { _ in _ = strong }
            drain(&state)
        }
        #expect(held == nil)
    }

    @Test("leaves the release of its handlers to the caller that ends it")
    func leavesRelease() {
        let isReleased = Locked(false)
        var state = State()
        do {
            let object = Released { isReleased.withLock { $0 = true } }
            _ = state.addProgressHandler { _ in withExtendedLifetime(object) {} }
        }
        do {
            let end = state.finish(1)
            #expect(!isReleased.withLock { $0 })
            withExtendedLifetime(end) {}
        }
        #expect(isReleased.withLock { $0 })
    }

    @Test("resumes waiters once with the outcome, before deliveries")
    func waiters() {
        let log = Log()
        var state = State()
        #expect(state.addWaiter { log.add("waiter \($0)") } as? Int == nil)
        let waiters = state.finish(3).waiters
        for waiter in waiters { waiter(3) }
        #expect(log.all == ["waiter 3"])
        #expect(state.finish(4).waiters.isEmpty)
        #expect(state.addWaiter { _ in } as? Int == 3)
    }

    @Test("runs a barrier after earlier deliveries")
    func barrier() {
        let log = Log()
        var state = state(logging: log)
        _ = state.start()
        _ = state.addBarrier { log.add("barrier") }
        drain(&state)
        #expect(log.all == ["start", "barrier"])
    }

    @Test("reports progress that only grows, across attempts, and ends at 1 on success")
    func progress() {
        let log = Log()
        var state = state(logging: log)
        let steps: [(count: Int64, since: UInt64)] = [(20, 0), (50, 0), (10, 1), (40, 1), (60, 1)]
        for (index, step) in steps.enumerated() {
            let time = UInt64(index) * 100_000_000
            _ = state.transferred(.download(step.count, since: step.since), at: time)
        }
        _ = state.transferred(.download(70, since: 1), at: 400_000_001)
        _ = state.transfersEnded(successfully: true, at: 500_000_000)
        drain(&state)
        #expect(
            log.all == [
                "progress 0.2", "progress 0.5", "progress 0.6", "progress 0.7", "progress 1.0",
            ]
        )
    }

    @Test("reports transfers in both directions, and progress for the call's own direction")
    func transfers() {
        let log = Log()
        var state = state(logging: log)
        _ = state.addTransferHandler { log.add("\(Transfer($0).direction) \($0.count.count)") }
        var upload = TransferCount.download(100, since: 0)
        upload.isUpload = true
        upload.isMain = false
        _ = state.transferred(upload, at: 0)
        _ = state.transferred(.download(100, since: 1), at: 1)
        _ = state.transfersEnded(successfully: false, at: 2)
        drain(&state)
        #expect(log.all == ["upload 100", "download 100", "progress 1.0"])
        // One that comes late hears how far things are.
        _ = state.addTransferHandler { log.add("late \($0.count.count)") }
        drain(&state)
        #expect(log.all.last == "late 100")
    }
}

extension TransferCount {
    fileprivate static func download(_ count: Int64, since: UInt64) -> TransferCount {
        TransferCount(isUpload: false, count: count, total: 100, since: since, isMain: true)
    }
}
