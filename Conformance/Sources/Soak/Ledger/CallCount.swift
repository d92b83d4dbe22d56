import NetKit
import Synchronization

/// Checks the events of every call of the endpoints: each finishes, and only once.
///
/// It includes the calls that NetKit makes itself, such as those of an event source.
final class CallCount: Sendable {
    struct State {
        /// The events of the calls that have begun and not finished.
        var open: [Int: [CallEvent]] = [:]
        /// A bit for each finished call.
        var bits: [UInt64] = []
        var finished = 0
        var twice = 0
        /// The events of calls that had finished.
        var late: [String] = []
        var exchanges = 0
    }

    private let state = Mutex(State())

    /// Observes an endpoint.
    func observe(_ endpoint: Endpoint) {
        endpoint.observation.registerEvents { [self] event in
            state.withLock { state in
                if case .started = event.kind { state.exchanges += 1 }
                if case .finished = event.kind {
                    state.finish(event.callID)
                } else if state.hasFinished(event.callID) {
                    state.late.append("\(event.kind)")
                } else {
                    state.open[event.callID, default: []].append(event)
                }
            }
        }
    }

    /// The number of calls that finished.
    var finished: Int { state.withLock { $0.finished } }
    /// The number of exchanges on the wire.
    var exchanges: Int { state.withLock { $0.exchanges } }
    /// The number of calls that haven't finished.
    var open: Int { state.withLock { $0.open.count } }
    /// What the calls that haven't finished have done.
    var trails: [String] {
        state.withLock { state in
            state.open.values.map { events in events.map { "\($0.kind)" }.joined(separator: "; ") }
        }
    }
    /// The events of calls that had finished.
    var late: [String] { state.withLock { $0.late } }
    /// The number of calls that finished again.
    var twice: Int { state.withLock { $0.twice } }
}

extension CallCount.State {
    func hasFinished(_ call: Int) -> Bool {
        call / 64 < bits.count && bits[call / 64] & (1 << UInt64(call % 64)) != 0
    }

    mutating func finish(_ call: Int) {
        open[call] = nil
        let (word, bit) = (call / 64, UInt64(1) << UInt64(call % 64))
        while bits.count <= word { bits.append(0) }
        if bits[word] & bit == 0 { finished += 1 } else { twice += 1 }
        bits[word] |= bit
    }
}
