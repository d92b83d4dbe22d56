/// Server-sent events over as many connections as it takes (WHATWG HTML, section 9.2).
///
/// A connection that ends or breaks off is made again after the time that the server said by `retry`, 3
/// seconds at first, doubled with each connection that brings no event, up to 30 seconds; with the last
/// event id in `Last-Event-ID`. A 204 ends the events. What is thrown ends them too: an answer that is not
/// 2xx as the call's typed error, another Content-Type than `text/event-stream` as
/// ``UnexpectedContentType``, a ``StreamFailure`` for a line that is too long or a reader that is too slow,
/// and `CancellationError` after a cancel.
public struct EventSource<R: Request>: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    let endpoint: Endpoint
    let request: R

    /// Starts to read; each iterator has connections of its own.
    ///
    /// - Returns: The one who reads.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(endpoint: endpoint, request: request)
    }

    /// Reads events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let endpoint: Endpoint
        let request: R
        private var events: ServerSentEvents.AsyncIterator?
        private var isOver = false
        private var lastEventID: String?
        private var reconnectionTime = Duration.seconds(3)
        private var fruitless = 0

        init(endpoint: Endpoint, request: R) {
            self.endpoint = endpoint
            self.request = request
        }

        /// The next event, nil after a 204.
        ///
        /// - Returns: The event.
        /// - Throws: As said at ``EventSource``.
        public mutating func next() async throws -> ServerSentEvent? {
            while !isOver {
                do {
                    if let event = try await nextOfConnection() {
                        fruitless = 0
                        return event
                    }
                } catch {
                    isOver = !Self.isTemporary(error)
                    if isOver { throw error }
                }
                if !isOver { try await pause() }
            }
            return nil
        }

        /// The next event of this connection, or of a new one; nil at its end.
        private mutating func nextOfConnection() async throws -> ServerSentEvent? {
            var current: ServerSentEvents.AsyncIterator
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
                reconnectionTime = current.parser.reconnectionTime ?? reconnectionTime
            }
            guard let event = try await current.next() else { return nil }
            events = current
            return event
        }

        private func connect() async throws -> ServerSentEvents.AsyncIterator? {
            var fields: HTTPHeaders = [.accept: "text/event-stream", .cacheControl: "no-store"]
            if let lastEventID, !lastEventID.isEmpty { fields["Last-Event-ID"] = lastEventID }
            let stream = try await endpoint.stream(request, with: fields)
            guard stream.status != .noContent else { return nil }
            guard let type = stream.headers.contentType, type.type.lowercased() == "text",
                type.subtype.lowercased() == "event-stream"
            else {
                throw UnexpectedContentType(
                    expected: ["text/event-stream"],
                    found: stream.headers[.contentType]
                )
            }
            var events = stream.serverSentEvents.makeAsyncIterator()
            events.parser = EventParser(lastEventID: lastEventID)
            return events
        }

        private mutating func pause() async throws {
            let factor = 1 << Swift.min(fruitless, 10)
            fruitless += 1
            let delay = Swift.min(
                reconnectionTime * factor,
                Swift.max(reconnectionTime, .seconds(30))
            )
            let control = CallControl(clock: endpoint.clock)
            let clock = endpoint.clock
            await withTaskCancellationHandler {
                await Wait.pause(for: delay, control: control, clock: clock)
            } onCancel: {
                control.stop(.cancelled)
            }
            try Task.checkCancellation()
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

extension Endpoint {
    /// The server-sent events of `request`, over as many connections as it takes.
    ///
    /// Nothing is sent before somebody reads. Leaving the loop, or cancelling the task that reads, ends the
    /// connection.
    ///
    /// - Parameter request: What to ask; `Accept` and `Last-Event-ID` are set for it.
    /// - Returns: The events.
    public func events<R: Request>(for request: R) -> EventSource<R> {
        EventSource(endpoint: self, request: request)
    }
}
