import Foundation
import NetKitSupport

/// A server-sent event (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// The last event ID as of this event, or nil if none was set.
    public var id: String?
    /// The event type.
    ///
    /// Defaults to `message`.
    public var event: String
    /// The data, with its lines joined by LF.
    public var data: String
    /// The delay before reconnecting, if the event sets one.
    public var retry: Duration?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - id: The last event ID. Defaults to nil.
    ///   - event: The event type. Defaults to `message`.
    ///   - data: The data.
    ///   - retry: The delay before reconnecting. Defaults to nil.
    public init(id: String? = nil, event: String = "message", data: String, retry: Duration? = nil)
    {
        (self.id, self.event, self.data, self.retry) = (id, event, data, retry)
    }
}

/// A reader that parses a response into events.
struct EventReader {
    private var chunks: ResponseStream.AsyncIterator
    var parser: EventParser

    init(_ stream: ResponseStream, maximumEventSize: Int) {
        chunks = stream.makeAsyncIterator()
        parser = EventParser(limit: maximumEventSize)
    }

    /// Returns the next event if all of it has arrived.
    ///
    /// - Throws: ``StreamFailure/lineTooLong(limit:)``.
    mutating func arrived() throws(StreamFailure) -> ServerSentEvent? {
        let event = try StreamFailure.ofLines { () throws(RefusedLine) in try parser.next() }
        return event.map {
            ServerSentEvent(id: $0.id, event: $0.type, data: $0.data, retry: $0.retry)
        }
    }

    /// Returns the next event, or nil at the end.
    ///
    /// An event without its closing empty line is dropped.
    ///
    /// - Throws: The errors of ``ResponseStream/AsyncIterator/next()``, and ``StreamFailure/lineTooLong(limit:)``.
    @inline(never)
    mutating func next() async throws -> ServerSentEvent? {
        while true {
            if let event = try arrived() { return event }
            guard let chunk = try await chunks.next() else { return nil }
            parser.add(chunk)
        }
    }
}
