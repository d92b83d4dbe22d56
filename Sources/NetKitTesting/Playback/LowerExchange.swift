import NetKit

/// The exchange of a transport below, for one that stands in between: kept while it goes on.
final class LowerExchange: Sendable {
    private struct State {
        var exchange: (any TransportExchange)?
        var isOver = false
    }

    private let state = Locked(State())

    /// Sends a request over the transport below.
    func start(
        _ request: EncodedRequest,
        over transport: any Transport,
        to receiver: any TransportReceiver
    ) {
        let exchange = transport.send(request, to: receiver)
        let isOver = state.withLock { state in
            if !state.isOver { state.exchange = exchange }
            return state.isOver
        }
        // It may have ended by itself; then this does nothing.
        if isOver { exchange.cancel() }
    }

    /// The exchange has ended.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.exchange = nil
        }
    }

    /// Nothing more is wanted of the exchange.
    func cancel() {
        let exchange = state.withLock { state in
            state.isOver = true
            defer { state.exchange = nil }
            return state.exchange
        }
        exchange?.cancel()
    }

    /// Holds the exchange back.
    ///
    /// - Returns: Whether it can do so; one that is over can, as nothing more comes of it.
    func pause() -> Bool {
        let (exchange, isOver) = state.withLock { ($0.exchange, $0.isOver) }
        return isOver || exchange?.pause() == true
    }

    /// Lets the exchange go on.
    func resume() {
        state.withLock { $0.exchange }?.resume()
    }
}
