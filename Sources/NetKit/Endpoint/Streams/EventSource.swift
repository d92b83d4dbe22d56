/// Server-sent events over as many connections as it takes (WHATWG HTML, section 9.2).
///
/// The source connects again when a connection ends or breaks off, with the last event id in `Last-Event-ID`. The delay
/// is what the server said by `retry`, and at least 100 milliseconds; 3 seconds at first. Each connection in a row that
/// brings no event doubles it, up to 30 seconds. ``onLostConnection(_:)`` tells of lost connections.
///
/// A 204 ends the events. So does an error, which the iterator throws:
/// - the call's typed error for a response that is not 2xx;
/// - ``StreamFailure/unexpectedStatus(_:)`` for a 2xx other than 200 and 204;
/// - an error that names the Content-Type, for another one than `text/event-stream`;
/// - another ``StreamFailure`` for an event that is too large or a reader that is too slow;
/// - ``StreamFailure/cancelled`` after a cancel.
public struct EventSource<R: Request>: AsyncSequence, Sendable {
    let endpoint: Endpoint
    let request: R
    let reconnectionTime: Duration
    let maximumEventSize: Int
    private var lossHandlers: [@Sendable (LostConnection) -> Void] = []

    init(
        endpoint: Endpoint,
        request: R,
        reconnectionTime: Duration,
        maximumEventSize: Int
    ) {
        self.endpoint = endpoint
        self.request = request
        self.reconnectionTime = reconnectionTime
        self.maximumEventSize = maximumEventSize
    }

    /// Adds a handler of lost connections.
    ///
    /// ```swift
    /// for try await event in endpoint.events(for: feed).onLostConnection({ print($0) }) { … }
    /// ```
    ///
    /// - Parameter handler: Runs in the task that reads, before the delay, for each connection that is made again.
    ///   Several handlers run in the order in which they were added.
    /// - Returns: The same events.
    public func onLostConnection(
        _ handler: @escaping @Sendable (LostConnection) -> Void
    ) -> EventSource {
        var copy = self
        copy.lossHandlers.append(handler)
        return copy
    }

    /// Starts to read; each iterator has connections of its own.
    ///
    /// - Returns: The one who reads.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: self)
    }

    /// Reads events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: EventSource
        private var events: EventReader?
        private var isOver = false
        private var lastEventID: String?
        private var delay: ReconnectionDelay
        /// Whether the connection brought an event.
        private var broughtEvent = false

        init(source: EventSource) {
            self.source = source
            delay = ReconnectionDelay(source.reconnectionTime)
        }

        /// The next event, nil after a 204.
        ///
        /// - Returns: The event.
        /// - Throws: As said at ``EventSource``.
        public mutating func next() async throws -> ServerSentEvent? {
            while !isOver {
                var loss: (any Error)?
                do {
                    if let event = try await nextOfConnection() {
                        broughtEvent = true
                        return event
                    }
                } catch {
                    isOver = !Self.isTemporary(error)
                    if isOver { throw error }
                    loss = error
                }
                if !isOver { try await pause(after: loss) }
            }
            return nil
        }

        /// The next event of this connection, or of a new one; nil at its end.
        private mutating func nextOfConnection() async throws -> ServerSentEvent? {
            var current: EventReader
            if let events {
                current = events
            } else if let new = try await connect() {
                current = new
            } else {
                isOver = true
                return nil
            }
            // Whatever happens, what was learnt of ids and times is kept.
            events = nil
            defer {
                lastEventID = current.parser.lastEventID ?? lastEventID
                delay.time = current.parser.reconnectionTime ?? delay.time
            }
            guard let event = try await current.next() else { return nil }
            events = current
            return event
        }

        private func connect() async throws -> EventReader? {
            // An id with control characters is none that a field could carry.
            let id = lastEventID.flatMap { $0.isEmpty || !$0.isFieldValue ? nil : $0 }
            let stream = try await source.endpoint.stream(source.request) { headers in
                headers[.accept] = "text/event-stream"
                if headers[.cacheControl] == nil { headers[.cacheControl] = "no-cache" }
                if let id { headers["Last-Event-ID"] = id }
            }
            guard stream.status != .noContent else { return nil }
            guard stream.status == .ok else { throw StreamFailure.unexpectedStatus(stream.status) }
            guard let type = stream.headers.contentType, type.type.lowercased() == "text",
                type.subtype.lowercased() == "event-stream"
            else {
                throw UnexpectedContentType(
                    expected: ["text/event-stream"],
                    found: stream.headers[.contentType]
                )
            }
            let limit = source.maximumEventSize
            var events = EventReader(stream, maximumEventSize: limit)
            events.parser.lastEventID = lastEventID
            return events
        }

        private mutating func pause(after error: (any Error)?) async throws {
            let delay = delay.next(broughtEvent: broughtEvent)
            broughtEvent = false
            let loss = LostConnection(
                error: error,
                delay: delay,
                eventlessConnections: self.delay.eventlessConnections
            )
            let endpoint = source.endpoint
            let control = CallControl(clock: endpoint.clock)
            // A handler may cancel all requests.
            endpoint.register(control)
            defer { endpoint.forget(control) }
            for handler in source.lossHandlers { handler(loss) }
            await control.pause(for: delay)
            guard !Task.isCancelled, control.stopped == nil else {
                isOver = true
                throw StreamFailure.cancelled
            }
        }

        private static func isTemporary(_ error: any Error) -> Bool {
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
}

/// A connection of an ``EventSource`` that ended, and is made again.
public struct LostConnection: Sendable {
    /// The failure; nil where the server ended the response.
    public let error: (any Error)?
    /// The time until the source connects again.
    public let delay: Duration
    /// The number of connections in a row, up to this one, that brought no event.
    let eventlessConnections: Int
}

extension LostConnection: CustomStringConvertible {
    /// One lower-case line: the reason and the delay.
    public var description: String {
        let reason = error.map { ErrorSummary.line(for: $0) } ?? "the server ended the response"
        return "\(reason), connecting again after \(delay)"
    }
}

extension Endpoint {
    /// The server-sent events of `request`, over as many connections as it takes.
    ///
    /// Nothing is sent before somebody reads. Leaving the loop, or cancelling the task that reads, ends the
    /// connection.
    ///
    /// - Parameters:
    ///   - request: What to ask. `Accept` and `Last-Event-ID` are set for it, and `Cache-Control` to `no-cache`
    ///     unless the request or the endpoint has its own.
    ///   - reconnectionTime: The delay before the source connects again, until the server says another. Defaults to
    ///     3 seconds; at least 100 milliseconds.
    ///   - maximumEventSize: The most bytes that a line, and the data of an event, may have. Defaults to 16 MiB. A
    ///     larger one is a ``StreamFailure/lineTooLong(limit:)``.
    /// - Returns: The events.
    public func events<R: Request>(
        for request: R,
        reconnectingAfter reconnectionTime: Duration = .seconds(3),
        maximumEventSize: Int = 16 << 20
    ) -> EventSource<R> {
        EventSource(
            endpoint: self,
            request: request,
            reconnectionTime: reconnectionTime,
            maximumEventSize: maximumEventSize
        )
    }
}
