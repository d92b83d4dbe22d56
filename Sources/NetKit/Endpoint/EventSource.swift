import Foundation
import NetKitSupport

/// A source of elements, which reconnects when a connection is lost.
protocol ReconnectingSource: AnyObject {
    associatedtype Element
    associatedtype R: Request
    associatedtype Connection

    var reconnection: Reconnection { get set }
    /// The open connection, if any.
    var connection: Connection? { get set }

    /// Opens a connection, or returns nil if the server has no more elements.
    func connect() async throws -> Connection?

    /// Returns the next element of a connection, or nil at its end.
    func next(of connection: inout Connection) async throws -> Element?

    /// Prepares the next connection, and returns whether there is one.
    func prepareConnection() throws -> Bool
}

extension ReconnectingSource {
    func prepareConnection() -> Bool { true }

    /// Returns the next element, or nil at the end.
    func next() async throws -> Element? {
        while !reconnection.isOver {
            var loss: (any Error)?
            do {
                if connection == nil { connection = try await connect() }
                guard var current = connection else {
                    reconnection.isOver = true
                    break
                }
                // A failed connection isn't read any more.
                connection = nil
                if let element = try await next(of: &current) {
                    connection = current
                    reconnection.broughtElement = true
                    return element
                }
            } catch {
                reconnection.isOver = !Reconnection.isWorthwhile(after: error)
                if reconnection.isOver { throw Reconnection.thrown(for: error, of: R.self) }
                loss = error
            }
            // An error here ends the source.
            reconnection.isOver = true
            guard try prepareConnection() else { break }
            try await reconnection.pause(after: loss, for: R.self)
            reconnection.isOver = false
        }
        return nil
    }
}

/// Reads server-sent events, as WHATWG HTML, section 9.2, says.
final class EventSource<R: Request>: ReconnectingSource {
    let request: R
    let maximumEventSize: Int
    var reconnection: Reconnection
    var connection: EventReader?
    private var lastEventID: String?

    init(of request: R, _ reconnection: Reconnection, maximumEventSize: Int) {
        (self.request, self.maximumEventSize) = (request, maximumEventSize)
        self.reconnection = reconnection
    }

    func connect() async throws -> EventReader? {
        // A header field can't carry an ID with control characters.
        let id = lastEventID.flatMap { $0.isEmpty || !$0.isFieldValue ? nil : $0 }
        let isKnown = lastEventID != nil
        let stream = try await reconnection.endpoint.stream(request) { headers in
            headers[.accept] = "text/event-stream"
            if headers[.cacheControl] == nil { headers[.cacheControl] = "no-cache" }
            // Without an ID that can be sent, neither is the one that the request began with.
            if isKnown { headers["Last-Event-ID"] = id }
        }
        guard stream.status != .noContent else {
            await stream.finish()
            return nil
        }
        guard stream.status == .ok else { throw StreamFailure.unexpectedStatus(stream.status) }
        let field = stream.headers[.contentType]
        guard MimeTypeParts.essence(of: field ?? "") == ("text", "event-stream") else {
            throw UnexpectedContentType(found: field)
        }
        var events = EventReader(stream, maximumEventSize: maximumEventSize)
        events.parser.lastEventID = lastEventID
        return events
    }

    func next(of events: inout EventReader) async throws -> ServerSentEvent? {
        // Keeps the received IDs and delays, whatever happens next.
        defer {
            lastEventID = events.parser.lastEventID ?? lastEventID
            if let time = events.parser.reconnectionTime { reconnection.set(time) }
        }
        return try await events.next()
    }
}

extension Endpoint {
    /// Returns the server-sent events of a request, and reconnects when the connection is lost.
    ///
    /// ```swift
    /// for try await event in endpoint.events(for: feed) { print(event.data) }
    /// ```
    ///
    /// The endpoint follows WHATWG HTML, section 9.2. It reconnects when a connection ends or fails, and sends the last
    /// event ID in `Last-Event-ID`. The delay before reconnecting is 3 seconds until the server sends `retry`, and at
    /// least 100 milliseconds. Each consecutive connection without an event doubles it, up to 30 seconds. Nothing is sent
    /// until you read. Leaving the loop, or canceling the reading task, closes the connection.
    ///
    /// A timeout, even that of ``Timeouts/total``, ends only the connection. A 204 response ends the sequence. So does an
    /// error, which the iterator throws:
    ///
    /// - The call's typed error for a response other than 2xx, such as a 503 after its retries, or if the endpoint is shut
    ///   down.
    /// - A transport error that each connection would have: ``TransportError/Kind/unsupported``,
    ///   ``TransportError/Kind/unsafeRedirect``, ``TransportError/Kind/tooManyRedirects``,
    ///   ``TransportError/Kind/responseTooLarge``, or that of a transport that was shut down.
    /// - ``StreamFailure/unexpectedStatus(_:)`` for a 2xx response other than 200 and 204.
    /// - An error that names the `Content-Type` if it isn't `text/event-stream`.
    /// - Another ``StreamFailure`` for an event that is too large or a reader that is too slow.
    /// - The error of an interceptor.
    /// - ``StreamFailure/cancelled`` after a cancellation.
    ///
    /// - Parameters:
    ///   - request: The request to send. The endpoint sets `Accept`, and after the first event ID also `Last-Event-ID`. It
    ///     sets `Cache-Control` to `no-cache` unless the request or the endpoint sets it.
    ///   - reconnectionTime: The delay before reconnecting until the server sends its own. Delays below 100
    ///     milliseconds count as 100 milliseconds. Connections without an event double it, up to 30 seconds. Defaults
    ///     to 3 seconds.
    ///   - maximumEventSize: The maximum size of a line, and of an event's data, in bytes. A larger one throws
    ///     ``StreamFailure/lineTooLong(limit:)``. Defaults to 16 MiB.
    ///   - onLostConnection: A handler that runs in the reading task, before the delay, for each lost connection. Defaults
    ///     to none.
    /// - Returns: The events. Each iterator has its own connections.
    public func events(
        for request: some Request,
        reconnectingAfter reconnectionTime: Duration = .seconds(3),
        maximumEventSize: Int = 16 << 20,
        onLostConnection: (@Sendable (LostConnection) -> Void)? = nil
    ) -> ResponseElements<ServerSentEvent> {
        ResponseElements {
            let reconnection = Reconnection(on: self, after: reconnectionTime, onLostConnection)
            let source = EventSource(of: request, reconnection, maximumEventSize: maximumEventSize)
            return .init { try await source.next() }
        }
    }
}

/// Reads JSON lines, and reconnects when the connection is lost.
final class JSONLineSource<R: Request>: ReconnectingSource where R.ResponseObjectType: Decodable {
    typealias Line = R.ResponseObjectType

    private let resume: @Sendable (Line) throws -> R?
    private var request: R
    var reconnection: Reconnection
    var connection: (lines: LineReader, stream: ResponseStream)?
    /// The last value of this connection.
    private var last: Line?

    init(
        of request: R,
        _ reconnection: Reconnection,
        resume: @escaping @Sendable (Line) throws -> R?
    ) {
        (self.request, self.reconnection, self.resume) = (request, reconnection, resume)
    }

    /// Creates the next request from the last value, if there is a new one.
    ///
    /// - Returns: Whether there is a request to send.
    func prepareConnection() throws -> Bool {
        guard let line = last else { return true }
        last = nil
        guard let next = try resume(line) else { return false }
        request = next
        return true
    }

    func connect() async throws -> (lines: LineReader, stream: ResponseStream)? {
        let stream = try await reconnection.endpoint.stream(request)
        guard stream.status != .noContent else {
            await stream.finish()
            return nil
        }
        return (LineReader(stream), stream)
    }

    func next(
        of current: inout (lines: LineReader, stream: ResponseStream)
    ) async throws -> Line? {
        while let line = try await current.lines.next() {
            guard line.contains(where: { !$0.isJSONWhiteSpace }) else { continue }
            do {
                let value = try JSONDecoding.value(
                    Line.self,
                    from: Data(line),
                    decoder: current.stream.decoder
                )
                last = value
                return value
            } catch  where current.lines.isAtRest && (try? JSONText.value(of: Data(line))) == nil {
                // Nothing else shows that the connection was lost within a line.
                throw StreamFailure.transport(TransportError(.truncatedResponse))
            } catch {
                throw current.stream.undecodable(error, inLine: current.lines.number)
            }
        }
        return nil
    }
}

extension Endpoint {
    /// Returns the JSON lines of a request, and reconnects when the connection is lost.
    ///
    /// ```swift
    /// let changes = endpoint.jsonLines(for: Watch(from: revision)) { last in Watch(from: last.revision + 1) }
    /// for try await change in changes { print(change.key) }
    /// ```
    ///
    /// After a lost connection, the endpoint sends the request that `resuming` returns for the last value, or the same
    /// request again if there was no value. Each consecutive connection without a value doubles the delay, up to 30 seconds.
    /// The endpoint sends the first request when you start to read. Leaving the loop, or canceling the reading task, closes
    /// the connection.
    ///
    /// A 204 response ends the sequence, and so does nil from `resuming`. So does an error, which the iterator throws:
    ///
    /// - The call's typed error for a response other than 2xx, or if the endpoint is shut down.
    /// - A transport error that each connection would have, as for ``events(for:reconnectingAfter:maximumEventSize:onLostConnection:)``.
    /// - ``DecodingFailure`` for a line that doesn't decode.
    /// - ``StreamFailure`` for a line of more than 16 MiB or a reader that is too slow.
    /// - ``StreamFailure/cancelled`` after a cancellation, including during a delay.
    /// - The errors of `resuming`.
    ///
    /// A last line that is incomplete JSON counts as a lost connection. Empty lines are skipped.
    ///
    /// - Parameters:
    ///   - request: The first request. Each line decodes to its value, with the request's decoder or the endpoint's.
    ///   - delay: The delay before reconnecting, at least 100 milliseconds. Defaults to 3 seconds.
    ///   - onLostConnection: A handler that runs in the reading task, before the delay, for each lost connection. Defaults
    ///     to none.
    ///   - resuming: A closure that returns the request that resumes after a value, or nil to end the sequence.
    /// - Returns: The values.
    public func jsonLines<R: Request>(
        for request: R,
        reconnectingAfter delay: Duration = .seconds(3),
        onLostConnection: (@Sendable (LostConnection) -> Void)? = nil,
        resuming: @escaping @Sendable (R.ResponseObjectType) throws -> R?
    ) -> ResponseElements<R.ResponseObjectType> where R.ResponseObjectType: Decodable {
        ResponseElements {
            let reconnection = Reconnection(on: self, after: delay, onLostConnection)
            let source = JSONLineSource(of: request, reconnection, resume: resuming)
            return .init { try await source.next() }
        }
    }
}

/// The delays between the connections of a sequence that reconnects.
struct Reconnection: Sendable {
    let endpoint: Endpoint
    private let onLoss: (@Sendable (LostConnection) -> Void)?
    private var delay: ReconnectionDelay
    /// Whether the connection delivered an element.
    var broughtElement = false
    /// Whether no connection follows.
    var isOver = false

    init(
        on endpoint: Endpoint,
        after time: Duration,
        _ onLoss: (@Sendable (LostConnection) -> Void)?
    ) {
        self.endpoint = endpoint
        self.onLoss = onLoss
        delay = ReconnectionDelay(time)
    }

    /// Sets the delay that the server asks for.
    mutating func set(_ time: Duration) { delay.time = time }

    /// Notifies the handler of a lost connection, then waits for the delay.
    ///
    /// - Parameters:
    ///   - error: The error, or nil if the server ended the response.
    ///   - request: The type of the request.
    /// - Throws: ``StreamFailure/cancelled``, or the call's typed error if the endpoint is shut down.
    mutating func pause<R: Request>(after error: (any Error)?, for request: R.Type) async throws {
        let delay = delay.next(broughtEvent: broughtElement)
        broughtElement = false
        let loss = LostConnection(error: error, delay: delay)
        let control = CallControl(clock: endpoint.clock)
        // Registers first, because a handler may cancel all requests.
        endpoint.register(control)
        defer { endpoint.forget(control) }
        onLoss?(loss)
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
    static func isWorthwhile(after error: any Error) -> Bool {
        switch CallFailure(thrown: error) {
        case .timeout: true
        case .transport(let error): !error.isLasting
        case .cancelled, .invalidRequest, .interceptor: false
        }
    }
}

/// A lost connection of an event source, or of JSON lines, that is about to be made again.
public struct LostConnection: Sendable {
    /// The error, or nil if the server ended the response.
    public let error: (any Error)?
    /// The delay before reconnecting.
    public let delay: Duration
}

extension LostConnection: Described {
    /// A one-line lowercase description with the reason and the delay.
    package var shown: String {
        let reason = error.map { ErrorSummary.line(for: $0) } ?? "the server ended the response"
        return "\(reason), reconnecting after \(DurationText(delay))"
    }
}

/// An error for a response that isn't a stream of events.
struct UnexpectedContentType: Error, Equatable, Sendable {
    /// The value of the field, or nil if it is missing.
    let found: String?
}

extension UnexpectedContentType: CallError, CustomStringConvertible {
    /// A one-line description: `the Content-Type is text/html, not text/event-stream`.
    var description: String {
        "the Content-Type is \(found.map { BoundedLine.text($0) } ?? "missing"), not text/event-stream"
    }
}
