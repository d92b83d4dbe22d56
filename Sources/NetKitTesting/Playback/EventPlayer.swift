import Dispatch
import NetKit
import NetKitSupport

/// Sends the events of an exchange to a receiver one after another, with pauses between them.
///
/// All events are sent on the player's own queue. A receiver thus never gets two events at a time,
/// and the caller is never called back on its own thread.
final class EventPlayer: TransportExchange, DeadlineOwner {
    /// A step of the player.
    enum Step: Sendable {
        case event(TransportEvent)
        case pause(Duration)
    }

    private struct State {
        var steps: ArraySlice<Step> = []
        /// The deadline of the current pause.
        var pause: DeadlineClock.Token?
        var isPaused = false
        /// Whether the receiver has paused the exchange.
        var isHeld = false
        /// Whether the last event is queued or sent.
        var isEnding = false
    }

    /// The queue for the steps, and for the work of creating them.
    let queue: DispatchQueue
    private let state = Locked(State())
    private let clock: DeadlineClock
    private let receiver: any TransportReceiver
    private let lower: LowerExchange?

    /// Creates a player without events.
    ///
    /// - Parameters:
    ///   - receiver: The receiver of the events.
    ///   - clock: The clock for pauses.
    ///   - lower: The exchange below, which is canceled, paused and resumed with this one. Defaults
    ///     to nil.
    init(
        for receiver: any TransportReceiver,
        clock: DeadlineClock,
        over lower: LowerExchange? = nil
    ) {
        queue = DispatchQueue(label: "NetKitTesting.exchange")
        self.receiver = receiver
        self.clock = clock
        self.lower = lower
    }

    /// Adds steps after the current ones.
    ///
    /// Steps after `finished` are ignored.
    func play(_ steps: [Step]) {
        let isNews = state.withLock { state in
            guard !state.isEnding else { return false }
            for step in steps where !state.isEnding {
                state.steps.append(step)
                if case .event(.finished) = step { state.isEnding = true }
            }
            return true
        }
        if isNews { queue.async { self.takeSteps() } }
    }

    /// Whether the last event is queued or sent, so that nothing more is played.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    func cancel() {
        let (isFirst, pause) = state.withLock { state in
            let isOver = state.isEnding && state.steps.isEmpty
            let isCancelled =
                if case .event(.finished(.cancelled)) = state.steps.last { true } else { false }
            guard !isOver, !isCancelled else { return (false, nil as DeadlineClock.Token?) }
            state.isEnding = true
            state.isPaused = false
            state.isHeld = false
            state.steps = [.event(.finished(.cancelled))]
            defer { state.pause = nil }
            return (true, state.pause)
        }
        guard isFirst else { return }
        if let pause { clock.remove(pause) }
        lower?.cancel()
        queue.async { self.takeSteps() }
    }

    /// Pauses the exchange below, and keeps its events.
    func pause() -> Bool {
        guard lower?.pause() == true else { return false }
        state.withLock { state in
            // A canceled exchange must still send its end.
            if case .event(.finished(.cancelled)) = state.steps.last { return }
            state.isHeld = true
        }
        return true
    }

    func resume() {
        state.withLock { $0.isHeld = false }
        lower?.resume()
        queue.async { self.takeSteps() }
    }

    func deadlineReached(at now: UInt64) -> UInt64? {
        state.withLock { state in
            state.isPaused = false
            state.pause = nil
        }
        queue.async { self.takeSteps() }
        return nil
    }

    /// Takes steps up to the next pause, on the queue.
    private func takeSteps() {
        while let event = nextEvent() { receiver.receive(event) }
    }

    private func nextEvent() -> TransportEvent? {
        state.withLock { state in
            guard !state.isPaused, !state.isHeld else { return nil }
            while let step = state.steps.popFirst() {
                switch step {
                case .event(let event): return event
                case .pause(let duration):
                    guard duration > .zero else { continue }
                    state.isPaused = true
                    // The clock holds no lock of its own when it calls back here.
                    state.pause = clock.insert(self, after: duration)
                    return nil
                }
            }
            return nil
        }
    }
}
