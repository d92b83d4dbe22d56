/// An asynchronous sequence of server-sent events that reconnects when a connection is lost.
///
/// The source follows WHATWG HTML, section 9.2. It reconnects when a connection ends or fails, and sends the last event
/// ID in `Last-Event-ID`. To observe lost connections, use ``onLostConnection(_:)``.
///
/// The delay before reconnecting is 3 seconds until the server sends `retry`, and at least 100 milliseconds. Each
/// consecutive connection without an event doubles it, up to 30 seconds.
///
/// A 204 response ends the sequence. So does an error, which the iterator throws:
///
/// - The call's typed error for a response other than 2xx, or if the endpoint is shut down.
/// - ``StreamFailure/unexpectedStatus(_:)`` for a 2xx response other than 200 and 204.
/// - An error that names the `Content-Type` if it isn't `text/event-stream`.
/// - Another ``StreamFailure`` for an event that is too large or a reader that is too slow.
/// - ``StreamFailure/cancelled`` after a cancellation.
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

    /// Adds a handler for lost connections.
    ///
    /// ```swift
    /// for try await event in endpoint.events(for: feed).onLostConnection({ print($0) }) { … }
    /// ```
    ///
    /// - Parameter handler: A closure that runs in the reading task before each reconnection delay. Several handlers
    ///   run in the order in which they were added.
    /// - Returns: The same events, with the handler.
    public func onLostConnection(
        _ handler: @escaping @Sendable (LostConnection) -> Void
    ) -> EventSource {
        var copy = self
        copy.lossHandlers.append(handler)
        return copy
    }

    /// Creates an iterator with its own connections.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: self)
    }

    /// An iterator over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: EventSource
        private var events: EventReader?
        private var isOver = false
        private var lastEventID: String?
        private var reconnection: Reconnection

        init(source: EventSource) {
            self.source = source
            reconnection = Reconnection(
                on: source.endpoint,
                after: source.reconnectionTime,
                source.lossHandlers
            )
        }

        /// Returns the next event, or nil after a 204 response.
        ///
        /// - Returns: The next event, or nil after a 204 response.
        /// - Throws: The errors listed at ``EventSource``.
        public mutating func next() async throws -> ServerSentEvent? {
            while !isOver {
                var loss: (any Error)?
                do {
                    if let event = try await nextOfConnection() {
                        reconnection.broughtElement = true
                        return event
                    }
                } catch {
                    isOver = !Reconnection.isWorthwhile(after: error, for: R.self)
                    if isOver { throw Reconnection.thrown(for: error, of: R.self) }
                    loss = error
                }
                if !isOver { try await pause(after: loss) }
            }
            return nil
        }

        /// Returns the next event of this or a new connection, or nil at its end.
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
            // Keeps the received IDs and delays, whatever happens next.
            events = nil
            defer {
                lastEventID = current.parser.lastEventID ?? lastEventID
                if let time = current.parser.reconnectionTime { reconnection.set(time) }
            }
            guard let event = try await current.next() else { return nil }
            events = current
            return event
        }

        private func connect() async throws -> EventReader? {
            // A header field can't carry an ID with control characters.
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
            do {
                try await reconnection.pause(after: error, for: R.self)
            } catch {
                isOver = true
                throw error
            }
        }
    }
}

extension Endpoint {
    /// Returns the server-sent events of a request, reconnecting as necessary.
    ///
    /// Nothing is sent until you read. Leaving the loop, or canceling the reading task, closes the connection.
    ///
    /// - Parameters:
    ///   - request: The request to send. The event source sets `Accept`, and after the first event ID also
    ///     `Last-Event-ID`. It sets `Cache-Control` to `no-cache` unless the request or the endpoint sets it.
    ///   - reconnectionTime: The delay before reconnecting until the server sends its own. Delays below 100
    ///     milliseconds count as 100 milliseconds. Connections without an event double it, up to 30 seconds. Defaults
    ///     to 3 seconds.
    ///   - maximumEventSize: The maximum size of a line, and of an event's data, in bytes. A larger one throws
    ///     ``StreamFailure/lineTooLong(limit:)``. Defaults to 16 MiB.
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
