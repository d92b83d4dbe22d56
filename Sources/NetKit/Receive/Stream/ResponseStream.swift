public import Foundation
import NetKitSupport

/// A response whose body you read while it arrives.
///
/// A stream supports one reader and one pass. Leaving the loop, releasing the stream, or canceling the reading task
/// ends the transfer at once.
///
/// The stream buffers up to 16 MiB of unread bytes. A transport with backpressure slows the server down before that
/// limit. Over other transports, such as ``URLSessionTransport``, the stream ends the transfer at the limit and later
/// requests the rest. That requires a 200 response without compression, with `Accept-Ranges: bytes` and a strong
/// `ETag`, or without an `ETag` a `Last-Modified` at least a second older than the `Date`. Otherwise reading throws
/// ``StreamFailure/readerTooSlow(bufferedBytes:)``.
///
/// Reading throws ``StreamFailure``. A request for the rest can also throw the errors of an interceptor or of
/// ``Authentication``.
public struct ResponseStream: AsyncSequence, Sendable {
    /// Ends the transfer when the last reference to the stream is released.
    final class Reading: Sendable {
        let channel: StreamChannel
        private let stop: @Sendable () -> Void

        init(_ channel: StreamChannel, stop: @escaping @Sendable () -> Void) {
            self.channel = channel
            self.stop = stop
        }

        /// Ends the transfer unless its last byte has arrived.
        ///
        /// A call with its last byte may be about to finish normally.
        func leave() { if !channel.isOver { stop() } }

        deinit { leave() }
    }

    /// The status code, always 2xx.
    public let status: HTTPStatus
    /// The header fields of the response.
    public let headers: HTTPHeaders
    /// The decoder of the request or of the endpoint.
    let decoder: JSONDecoder
    /// Told of an element that doesn't decode, for the call's log.
    let onUndecodable: @Sendable (any Error) -> Void
    private let reading: Reading

    init(
        _ head: ResponseHead,
        _ channel: StreamChannel,
        decoder: JSONDecoder,
        onUndecodable: @escaping @Sendable (any Error) -> Void = { _ in },
        stop: @escaping @Sendable () -> Void
    ) {
        status = head.status
        headers = head.headers
        self.decoder = decoder
        self.onUndecodable = onUndecodable
        reading = Reading(channel, stop: stop)
    }

    /// Creates an iterator over the chunks of the body as the transport delivers them.
    ///
    /// When more than 1,024 are unread, it joins small ones.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reading: reading, guarding: Leaving(reading))
    }

    /// Reads a body that nothing is to be made of to its end, so that the call ends as its transfer does.
    func finish() async {
        // Without content, the status alone counts.
        do { for try await _ in self {} } catch {}
    }

    /// The lines of the body as text, without their line endings.
    ///
    /// LF, CRLF, or the end of the body ends a line. Bytes that aren't valid UTF-8 become U+FFFD. A line longer than
    /// 16 MiB throws ``StreamFailure/lineTooLong(limit:)``, and one with more than 256 combining marks in a row
    /// ``TransportError/Kind/malformedResponse``.
    public var lines: ResponseElements<String> {
        ResponseElements {
            var reader = LineReader(self)
            return .init(arrived: { try reader.arrived().map(Self.text) }) {
                try await reader.next().map(Self.text)
            }
        }
    }

    private static func text(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: line, as: UTF8.self)
    }

    /// The server-sent events of the body, as the WHATWG HTML standard defines them.
    ///
    /// A line and the data of an event are limited to 16 MiB each. Reading a larger one throws
    /// ``StreamFailure/lineTooLong(limit:)``. ``Endpoint/events(for:reconnectingAfter:maximumEventSize:onLostConnection:)`` has a limit of
    /// your choice.
    public var serverSentEvents: ResponseElements<ServerSentEvent> {
        ResponseElements {
            var reader = EventReader(self, maximumEventSize: 16 << 20)
            return .init(arrived: { try reader.arrived() }) { try await reader.next() }
        }
    }

    /// Ends the transfer when the iterator is released because the loop exited.
    final class Leaving: Sendable {
        private let reading: Reading

        init(_ reading: Reading) { self.reading = reading }

        deinit { reading.leave() }
    }

    /// An iterator over the chunks of the body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reading: Reading
        let guarding: Leaving

        /// Returns the next chunk, or nil at the end.
        ///
        /// - Returns: At least one byte, or nil at the end of the body.
        /// - Throws: ``StreamFailure``. Cancellation throws ``StreamFailure/cancelled``.
        public mutating func next() async throws -> Data? {
            let reading = reading
            return try await withTaskCancellationHandler {
                if Task.isCancelled { throw StreamFailure.cancelled }
                return try await reading.channel.next()
            } onCancel: {
                reading.leave()
            }
        }
    }
}

/// A reason why a response stream ended early.
public enum StreamFailure: Error, Sendable {
    /// The transfer failed.
    case transport(TransportError)
    /// A timeout or deadline expired.
    case timeout(TimeoutPhase)
    /// The reader fell behind the server by more than the buffer holds.
    ///
    /// The value is the number of unread bytes.
    case readerTooSlow(bufferedBytes: Int)
    /// A line, or the data of a server-sent event, is longer than the limit.
    case lineTooLong(limit: Int)
    /// An event stream has a success status code other than 200 and 204.
    case unexpectedStatus(HTTPStatus)
    /// The reading task or the call was canceled.
    case cancelled
}

extension StreamFailure: CallError {
    public var isCancellation: Bool { if case .cancelled = self { true } else { false } }
    public var isTimeout: Bool { if case .timeout = self { true } else { false } }

    /// Whether the same stream could succeed later.
    ///
    /// True for a timeout, and for a transport error whose ``CallError/isTransient`` is true, such as a lost
    /// connection.
    public var isTransient: Bool {
        switch self {
        case .transport(let error): error.isTransient
        case .timeout: true
        case .readerTooSlow, .lineTooLong, .unexpectedStatus, .cancelled: false
        }
    }

    public var underlyingError: (any Error)? {
        if case .transport(let error) = self { error } else { nil }
    }
}

extension StreamFailure: Described {
    /// One line for logs; with method and redacted URL where the transfer failed.
    package var shown: String {
        switch self {
        case .transport(let error): error.description
        case .timeout(let phase): phase.line
        case .readerTooSlow, .lineTooLong, .unexpectedStatus, .cancelled: message
        }
    }

    /// One line for people, without the URL.
    public var message: String {
        switch self {
        case .transport(let error): error.message
        case .timeout(let phase): phase.message
        case .readerTooSlow(let count):
            "the reader is \(count) bytes behind the server, more than the buffer holds"
        case .lineTooLong(let limit): "a line exceeds the limit of \(limit) bytes"
        case .unexpectedStatus(let status):
            "a stream of events needs status 200 or 204, not \(status.rawValue)"
        case .cancelled: "the stream was canceled"
        }
    }
}

/// An asynchronous sequence of elements that arrive with a response or with several responses.
///
/// ``ResponseStream/lines``, ``ResponseStream/serverSentEvents``, ``ResponseStream/jsonLines(of:decoder:)``,
/// ``Endpoint/events(for:reconnectingAfter:maximumEventSize:onLostConnection:)``,
/// ``Endpoint/jsonLines(for:reconnectingAfter:onLostConnection:resuming:)``, ``Pages/items(_:)``, and
/// ``Endpoint/repeating(_:every:)`` return it. Their documentation lists the errors that iteration throws.
public struct ResponseElements<Element>: AsyncSequence, Sendable {
    private let start: @Sendable () -> AsyncIterator

    package init(_ start: @escaping @Sendable () -> AsyncIterator) {
        self.start = start
    }

    /// Creates an iterator over the elements.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator { start() }

    /// An iterator over the elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let arrived: () throws -> Element?
        @usableFromInline let read: () async throws -> Element?
        /// Whether an error has ended the sequence.
        @usableFromInline var hasFailed = false

        /// Creates an iterator.
        ///
        /// - Parameters:
        ///   - arrived: A closure that returns an element that needs no wait, or nil. Defaults to nil.
        ///   - read: A closure that waits for the next element, and returns nil at the end.
        package init(
            arrived: @escaping () throws -> Element? = { nil },
            _ read: @escaping () async throws -> Element?
        ) {
            self.arrived = arrived
            self.read = read
        }

        /// Returns the next element, or nil at the end.
        ///
        /// - Returns: The next element, or nil at the end and after an error.
        /// - Throws: The errors that the sequence's property or method documents.
        @inlinable
        public mutating func next() async throws -> Element? {
            guard !hasFailed else { return nil }
            do {
                // An element that is here doesn't pay for a suspension.
                if let element = try arrived() { return element }
                return try await read()
            } catch {
                hasFailed = true
                throw error
            }
        }
    }
}

/// A reader that splits a response into lines.
struct LineReader {
    private var chunks: ResponseStream.AsyncIterator
    private var splitter = LineSplitter(limit: 16 << 20, endsAtCarriageReturn: false)
    /// Whether the last line was ended by the body alone.
    private(set) var isAtRest = false
    /// The number of the last line, starting at 1.
    private(set) var number = 0

    init(_ stream: ResponseStream) { chunks = stream.makeAsyncIterator() }

    /// Returns the bytes of the next line if all of them have arrived.
    ///
    /// - Throws: ``StreamFailure/lineTooLong(limit:)``.
    mutating func arrived() throws(StreamFailure) -> ArraySlice<UInt8>? {
        let line = try StreamFailure.ofLines { () throws(RefusedLine) in try splitter.next() }
        if line != nil { number += 1 }
        return line
    }

    /// Returns the bytes of the next line, or nil at the end.
    ///
    /// - Throws: The errors of ``ResponseStream/AsyncIterator/next()``, and ``StreamFailure/lineTooLong(limit:)``.
    mutating func next() async throws -> ArraySlice<UInt8>? {
        while true {
            if let line = try arrived() { return line }
            guard let chunk = try await chunks.next() else {
                isAtRest = true
                number += 1
                return try StreamFailure.ofLines { () throws(RefusedLine) in try splitter.rest() }
            }
            splitter.add(chunk)
        }
    }
}

extension StreamFailure {
    /// Reads a line or an event whose length is limited.
    static func ofLines<Line>(
        _ read: () throws(RefusedLine) -> Line?
    ) throws(StreamFailure) -> Line? {
        do throws(RefusedLine) {
            return try read()
        } catch {
            switch error {
            case .tooLong(let limit): throw .lineTooLong(limit: limit)
            case .tooManyMarks:
                let reason = "a line has too many combining marks in a row"
                throw .transport(TransportError(.malformedResponse, reason: reason))
            }
        }
    }
}
