import Foundation
import NetKit
import NetKitSupport

/// An exchange with one fault.
final class FaultyExchange: TransportReceiver {
    private struct State {
        /// The number of body bytes received.
        var bodyBytes = 0
        /// Whether the fault has happened.
        var hasHappened = false
    }

    /// The exchange that the receiver sees.
    let player: EventPlayer
    private let fault: TransportFault
    private let state = Locked(State())
    private let lower = LowerExchange()
    private let onFault: @Sendable () -> Void

    init(
        _ fault: TransportFault,
        clock: DeadlineClock,
        receiver: any TransportReceiver,
        onFault: @escaping @Sendable () -> Void
    ) {
        self.fault = fault
        self.onFault = onFault
        player = EventPlayer(for: receiver, clock: clock, over: lower)
    }

    /// Sends the request as far as the fault allows.
    func start(_ request: EncodedRequest, over transport: any Transport) {
        switch fault {
        case .refuseConnection: fail(.cannotConnect, isFresh: true)
        case .loseBeforeRequest: fail(.connectionLost, isFresh: true)
        case .answer(let status, let wait):
            happen()
            var headers: HTTPHeaders = [.contentLength: "0"]
            if let wait { headers[.retryAfter] = "\(Self.wholeSeconds(wait))" }
            let head = ResponseHead(status: status, headers: headers)
            player.play([.event(.started), .event(.head(head)), .event(.finished(nil))])
        case .loseBeforeResponse, .cut, .drip:
            lower.start(request, over: transport, to: self)
        }
    }

    func receive(_ event: TransportEvent) {
        switch (event, fault) {
        case (.head, .loseBeforeResponse): fail(.connectionLost)
        case (.head, .cut(let limit)) where limit <= 0:
            player.play([.event(event)])
            fail(.truncatedResponse)
        case (.body(let data), .cut(let limit)): cut(data, after: limit)
        case (.body(let data), .drip(let size, let interval)): drip(data, max(1, size), interval)
        case (.finished, _):
            lower.end()
            player.play([.event(event)])
        default: player.play([.event(event)])
        }
    }

    private func cut(_ data: Data, after limit: Int) {
        let (rest, isEnd) = state.withLock { state in
            let rest = max(0, limit - state.bodyBytes)
            state.bodyBytes += data.count
            return (rest, state.bodyBytes >= limit)
        }
        player.play([.event(.body(Data(data.prefix(rest))))])
        if isEnd { fail(.truncatedResponse) }
    }

    private func drip(_ data: Data, _ size: Int, _ interval: Duration) {
        happen()
        let steps = stride(from: 0, to: data.count, by: size)
            .flatMap { start -> [EventPlayer.Step] in
                let piece = Data(data.dropFirst(start).prefix(size))
                return [.pause(interval), .event(.body(piece))]
            }
        player.play(steps)
    }

    /// Ends the exchange with the fault.
    private func fail(_ kind: TransportError.Kind, isFresh: Bool = false) {
        happen()
        if isFresh { player.play([.event(.started)]) }
        player.play([.event(.finished(.failed(TransportError(kind))))])
        lower.cancel()
    }

    private func happen() {
        let isFirst = state.withLock { state in
            defer { state.hasHappened = true }
            return !state.hasHappened
        }
        if isFirst { onFault() }
    }

    /// Rounded up, so that clients don't return too early.
    private static func wholeSeconds(_ duration: Duration) -> UInt64 {
        (duration.clampedNanoseconds + 999_999_999) / 1_000_000_000
    }
}
