import Dispatch
import NetKit

/// Tells a receiver the events of an exchange, one after the other, with pauses between them.
///
/// Everything is told on one queue of its own, so that a receiver never hears two events at a time and
/// whoever plays them is never called back.
final class EventPlayer: TransportExchange, DeadlineOwner {
    /// What to do next.
    enum Step: Sendable {
        case event(TransportEvent)
        case pause(Duration)
    }

    private struct State {
        var steps: ArraySlice<Step> = []
        /// The deadline at which a pause ends, if there is one at the moment.
        var pause: DeadlineClock.Token?
        var isPaused = false
        /// Whether the receiver wants nothing more for now.
        var isHeld = false
        /// Whether the last event is among the steps, or was told.
        var isEnding = false
    }

    /// Where the steps are taken, and where whoever makes them may take the time to do so.
    let queue: DispatchQueue
    private let state = Locked(State())
    private let clock: DeadlineClock
    private let receiver: any TransportReceiver
    private let lower: LowerExchange?

    /// Makes a player that has nothing to play yet.
    ///
    /// - Parameters:
    ///   - receiver: Whom to tell.
    ///   - clock: Measures the pauses.
    ///   - lower: Where the events come from, which is cancelled and held back with this exchange; nil, the
    ///     default, where they are made up.
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

    /// Plays these steps behind those that are there; what comes behind `finished` is left out.
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

    /// Whether the last event is among the steps or was told: nothing more is played.
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

    /// Holds the exchange below back, and keeps what has come of it.
    func pause() -> Bool {
        guard lower?.pause() == true else { return false }
        state.withLock { state in
            // Of a cancelled one the end is still to be told.
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

    /// Takes steps up to the next pause or as far as there are any; on the queue.
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
                    let end = clock.now &+ duration.clampedNanoseconds
                    // The clock asks nobody while it is being told of a deadline.
                    state.pause = clock.insert(self, at: end)
                    return nil
                }
            }
            return nil
        }
    }
}
