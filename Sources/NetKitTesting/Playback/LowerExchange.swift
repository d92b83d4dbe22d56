import NetKit
import NetKitSupport

/// The exchange of a wrapped transport, retained until it ends.
final class LowerExchange: Sendable {
    private struct State {
        var exchange: (any TransportExchange)?
        var isOver = false
    }

    private let state = Locked(State())

    /// Sends a request over the wrapped transport.
    func start(
        _ request: EncodedRequest,
        over transport: any Transport,
        to receiver: any TransportReceiver
    ) {
        guard state.withLock({ !$0.isOver }) else { return }
        let exchange = transport.send(request, to: receiver)
        let isOver = state.withLock { state in
            if !state.isOver { state.exchange = exchange }
            return state.isOver
        }
        // If the exchange has ended already, this does nothing.
        if isOver { exchange.cancel() }
    }

    /// Marks the exchange as ended.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.exchange = nil
        }
    }

    /// Cancels the exchange.
    func cancel() {
        let exchange = state.withLock { state in
            state.isOver = true
            defer { state.exchange = nil }
            return state.exchange
        }
        exchange?.cancel()
    }

    /// Pauses the exchange.
    ///
    /// - Returns: Whether the exchange supports it; true if it has ended, because no more events
    ///   follow.
    func pause() -> Bool {
        let (exchange, isOver) = state.withLock { ($0.exchange, $0.isOver) }
        return isOver || exchange?.pause() == true
    }

    /// Resumes the exchange.
    func resume() {
        state.withLock { $0.exchange }?.resume()
    }
}
