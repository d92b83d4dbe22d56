import NetKit
import Synchronization

/// Checks the events of every call of the endpoints: each finishes, and only once.
///
/// It includes the calls that NetKit makes itself, such as those of an event source.
final class CallCount: Sendable {
    struct State {
        /// The calls that have begun and not finished.
        var open: Set<Int> = []
        /// A bit for each finished call.
        var bits: [UInt64] = []
        var finished = 0
        var twice = 0
        var exchanges = 0
    }

    private let state = Mutex(State())

    /// Observes an endpoint.
    func observe(_ endpoint: Endpoint) {
        endpoint.observation.register { [self] event in
            state.withLock { state in
                switch event.kind {
                case .finished: state.finish(event.callID)
                case .started:
                    state.exchanges += 1
                    state.open.insert(event.callID)
                default: state.open.insert(event.callID)
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
    /// The number of calls that finished again.
    var twice: Int { state.withLock { $0.twice } }
}

extension CallCount.State {
    mutating func finish(_ call: Int) {
        open.remove(call)
        let (word, bit) = (call / 64, UInt64(1) << UInt64(call % 64))
        while bits.count <= word { bits.append(0) }
        if bits[word] & bit == 0 { finished += 1 } else { twice += 1 }
        bits[word] |= bit
    }
}
