import Synchronization

/// Records that each operation begins, has exactly one outcome, and ends.
final class Ledger: Sendable {
    /// An operation in flight.
    struct Entry: Sendable {
        let work: Work
        let engine: Engine
        let name: String
        let start: ContinuousClock.Instant
        /// The number of outcomes that closures received.
        var outcomes = 0
    }

    private struct State {
        var next = 0
        var pending: [Int: Entry] = [:]
        var tallies: [Tally.Key: Tally] = [:]
        var breaches: [String] = []
        var breachCount = 0

        mutating func breach(_ text: String) {
            breachCount += 1
            if breaches.count < 50 { breaches.append(text) }
        }
    }

    private let state = Mutex(State())

    /// Begins an operation.
    ///
    /// - Returns: Its ticket.
    func begin(_ work: Work, over engine: Engine, name: String) -> Int {
        state.withLock { state in
            state.next += 1
            state.pending[state.next] = Entry(
                work: work,
                engine: engine,
                name: name,
                start: .now
            )
            state.tallies[Tally.Key(work: work, engine: engine), default: Tally()].started += 1
            return state.next
        }
    }

    /// Records an outcome that a closure received.
    func deliver(_ ticket: Int) {
        state.withLock { state in
            guard var entry = state.pending[ticket] else {
                return state.breach("operation \(ticket): an outcome after its end")
            }
            entry.outcomes += 1
            state.pending[ticket] = entry
            if entry.outcomes > 1 { state.breach("\(entry.name): \(entry.outcomes) outcomes") }
        }
    }

    /// Ends an operation.
    func end(_ ticket: Int, _ verdict: Verdict) {
        state.withLock { state in
            guard let entry = state.pending.removeValue(forKey: ticket) else {
                return state.breach("operation \(ticket): a second end")
            }
            let key = Tally.Key(work: entry.work, engine: entry.engine)
            state.tallies[key, default: Tally()].add(verdict)
            if case .wrong(let reason) = verdict { state.breach("\(entry.name): \(reason)") }
        }
    }

    /// Records a breach that belongs to no operation.
    func breach(_ text: String) {
        state.withLock { $0.breach(text) }
    }

    var tallies: [Tally.Key: Tally] { state.withLock { $0.tallies } }
    var pending: [Entry] { state.withLock { Array($0.pending.values) } }
    var breachCount: Int { state.withLock { $0.breachCount } }
    /// The first breaches.
    var breaches: [String] { state.withLock { $0.breaches } }

    /// The sum over all work.
    var total: Tally { tallies.values.reduce(Tally(), +) }
}
