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
        /// The number of events of calls that had finished, and the first of them.
        var late = (count: 0, first: "")
        /// The number of exchanges on the wire.
        var exchanges: [Engine: Int] = [:]
        /// The last calls that failed.
        var failed: [FailedCall] = []
    }

    /// A call that failed, and what it did.
    struct FailedCall {
        let engine: Engine
        let events: [CallEvent]

        /// Whether the path of the call's URL ends with the number of an operation.
        func concerns(_ number: Int) -> Bool {
            events.contains { event in
                guard case .queued(let line) = event.kind else { return false }
                return line.hasSuffix("/\(number)") || line.contains("/\(number)?")
            }
        }
    }

    /// The number of failed calls that are kept.
    private static let failedCount = 200

    private let state = Mutex(State())

    /// Observes an endpoint.
    func observe(_ endpoint: Endpoint, over engine: Engine) {
        endpoint.observation.registerEvents { [self] event in
            state.withLock { state in
                if case .started = event.kind { state.exchanges[engine, default: 0] += 1 }
                switch event.kind {
                case .finished(let reason):
                    let events = state.finish(event.callID)
                    guard reason != nil else { return }
                    if state.failed.count >= 2 * Self.failedCount {
                        state.failed.removeFirst(Self.failedCount)
                    }
                    state.failed.append(FailedCall(engine: engine, events: events))
                case _ where state.hasFinished(event.callID):
                    if state.late.count == 0 { state.late.first = "\(event.kind)" }
                    state.late.count += 1
                default: state.open[event.callID, default: []].append(event)
                }
            }
        }
    }

    /// The number of calls that finished.
    var finished: Int { state.withLock { $0.finished } }
    /// The number of exchanges on the wire, by engine.
    var exchanges: [Engine: Int] { state.withLock { $0.exchanges } }
    /// The number of calls that haven't finished.
    var open: Int { state.withLock { $0.open.count } }
    /// What the calls that haven't finished have done.
    var trails: [String] {
        state.withLock { state in state.open.values.map(Self.trail) }
    }
    /// The number of events of calls that had finished, and the first of them.
    var late: (count: Int, first: String) { state.withLock { $0.late } }
    /// The number of calls that finished again.
    var twice: Int { state.withLock { $0.twice } }

    /// What the failed calls of an operation did, if it was a moment ago.
    func failures(of number: Int, over engine: Engine) -> [String] {
        state.withLock { state in
            state.failed.filter { $0.engine == engine && $0.concerns(number) }
                .map { Self.trail($0.events) }
        }
    }

    private static func trail(_ events: [CallEvent]) -> String {
        events.map { "\($0.kind)" }.joined(separator: "; ")
    }
}

extension CallCount.State {
    func hasFinished(_ call: Int) -> Bool {
        call / 64 < bits.count && bits[call / 64] & (1 << UInt64(call % 64)) != 0
    }

    /// Marks a call as finished.
    ///
    /// - Returns: Its events before.
    mutating func finish(_ call: Int) -> [CallEvent] {
        defer { open[call] = nil }
        let (word, bit) = (call / 64, UInt64(1) << UInt64(call % 64))
        while bits.count <= word { bits.append(0) }
        if bits[word] & bit == 0 { finished += 1 } else { twice += 1 }
        bits[word] |= bit
        return open[call] ?? []
    }
}
