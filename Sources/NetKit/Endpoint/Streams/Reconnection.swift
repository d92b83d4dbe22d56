/// The delays between the connections of a sequence that reconnects.
struct Reconnection: Sendable {
    private let endpoint: Endpoint
    private let lossHandlers: [@Sendable (LostConnection) -> Void]
    private var delay: ReconnectionDelay
    /// Whether the connection delivered an element.
    var broughtElement = false

    init(
        on endpoint: Endpoint,
        after time: Duration,
        _ lossHandlers: [@Sendable (LostConnection) -> Void]
    ) {
        self.endpoint = endpoint
        self.lossHandlers = lossHandlers
        delay = ReconnectionDelay(time)
    }

    /// Sets the delay that the server asks for.
    mutating func set(_ time: Duration) {
        delay.time = time
    }

    /// Notifies the handlers of a lost connection, then waits for the delay.
    ///
    /// - Parameters:
    ///   - error: The error, or nil if the server ended the response.
    ///   - request: The type of the request.
    /// - Throws: ``StreamFailure/cancelled``, or the call's typed error if the endpoint is shut down.
    mutating func pause<R: Request>(after error: (any Error)?, for request: R.Type) async throws {
        let delay = delay.next(broughtEvent: broughtElement)
        broughtElement = false
        let loss = LostConnection(
            error: error,
            delay: delay,
            eventlessConnections: self.delay.eventlessConnections
        )
        let control = CallControl(clock: endpoint.clock)
        // Registers first, because a handler may cancel all requests.
        endpoint.register(control)
        defer { endpoint.forget(control) }
        for handler in lossHandlers { handler(loss) }
        await control.pause(for: delay)
        guard Task.isCancelled || control.stopped != nil else { return }
        guard control.stopped == .shutDown else { throw StreamFailure.cancelled }
        throw ErrorResponse<R.ErrorType>(CallFailure(.shutDown))
    }

    /// Returns the error that the reader of a sequence receives.
    ///
    /// A cancellation is the same error at any time, also before the response.
    static func thrown<R: Request>(for error: any Error, of request: R.Type) -> any Error {
        guard case .cancelled = error as? ErrorResponse<R.ErrorType> else { return error }
        return StreamFailure.cancelled
    }

    /// Returns whether another connection may succeed after an error.
    static func isWorthwhile<R: Request>(after error: any Error, for request: R.Type) -> Bool {
        switch error {
        case StreamFailure.transport, StreamFailure.timeout: return true
        case let error as ErrorResponse<R.ErrorType>:
            switch error {
            case .transport, .timeout: return true
            default: return false
            }
        default: return false
        }
    }
}

/// A lost connection of an ``EventSource``, or of JSON lines, that is about to reconnect.
public struct LostConnection: Sendable {
    /// The error, or nil if the server ended the response.
    public let error: (any Error)?
    /// The delay before reconnecting.
    public let delay: Duration
    /// The number of consecutive connections without an event, including this one.
    let eventlessConnections: Int
}

extension LostConnection: CustomStringConvertible {
    /// A one-line lowercase description with the reason and the delay.
    public var description: String {
        let reason = error.map { ErrorSummary.line(for: $0) } ?? "the server ended the response"
        return "\(reason), reconnecting after \(DurationText(delay))"
    }
}
