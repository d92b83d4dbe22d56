public import Foundation

/// A response that is read while it arrives: the head first, then the body in pieces as they come.
///
/// It is for one reader, once. Leaving the loop, letting go of the stream and cancelling the task that
/// reads end the transfer at once. What is not read yet is kept up to 16 MiB. A transport that can,
/// holds the server back before that; over another one, such as ``URLSessionTransport``, a reader that
/// falls farther behind gets ``StreamFailure/tooSlow(buffered:)``, unless the server can send the rest
/// alone. Reading throws ``StreamFailure``; where the rest is asked for, also
/// what an interceptor or ``Authentication`` throws.
public struct ResponseStream: AsyncSequence, Sendable {
    public typealias Element = Data

    /// Ends the transfer when the last one who could read is gone.
    final class Reading: Sendable {
        let channel: StreamChannel
        private let stop: @Sendable () -> Void

        init(_ channel: StreamChannel, stop: @escaping @Sendable () -> Void) {
            self.channel = channel
            self.stop = stop
        }

        /// Ends the transfer, unless its last byte is there: the call may still be about to be told so.
        func leave() {
            if !channel.isOver { stop() }
        }

        deinit { leave() }
    }

    /// The status, always 2xx.
    public let status: HTTPStatus
    /// The header fields.
    public let headers: HTTPHeaders
    /// The decoder of the request or the endpoint.
    let decoder: JSONDecoder
    private let reading: Reading

    init(
        _ head: ResponseHead,
        _ channel: StreamChannel,
        decoder: JSONDecoder,
        stop: @escaping @Sendable () -> Void
    ) {
        status = head.status
        headers = head.headers
        self.decoder = decoder
        reading = Reading(channel, stop: stop)
    }

    /// The body in pieces, as the transport gave them.
    ///
    /// - Returns: The one who reads.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reading: reading, guarding: Leaving(reading))
    }

    /// The body as lines of text, without their ends.
    ///
    /// A line ends with LF or CRLF, or with the body. Bytes that are not UTF-8 become U+FFFD. A line of
    /// more than 1 MiB is a ``StreamFailure/lineTooLong(limit:)``.
    public var lines: ResponseElements<String> {
        ResponseElements {
            var reader = LineReader(self)
            return .init { try await reader.next().map { String(decoding: $0, as: UTF8.self) } }
        }
    }

    /// The body as server-sent events, read as the WHATWG's HTML standard says.
    ///
    /// A line, and the data of an event, may have 16 MiB; see ``serverSentEvents(maximumEventSize:)``.
    public var serverSentEvents: ResponseElements<ServerSentEvent> {
        serverSentEvents(maximumEventSize: 16 << 20)
    }

    /// The body as server-sent events of a limited size.
    ///
    /// - Parameter limit: The most bytes that a line, and the data of an event, may have. More are a
    ///   ``StreamFailure/lineTooLong(limit:)``.
    /// - Returns: The events.
    public func serverSentEvents(
        maximumEventSize limit: Int
    ) -> ResponseElements<ServerSentEvent> {
        ResponseElements {
            var reader = EventReader(self, maximumEventSize: limit)
            return .init { try await reader.next() }
        }
    }

    /// Ends the transfer when an iterator is gone: the loop was left.
    final class Leaving: Sendable {
        private let reading: Reading

        init(_ reading: Reading) {
            self.reading = reading
        }

        deinit { reading.leave() }
    }

    /// Reads the body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reading: Reading
        let guarding: Leaving

        /// The next piece, nil at the end.
        ///
        /// - Returns: Some bytes, at least one.
        /// - Throws: ``StreamFailure``; ``StreamFailure/cancelled`` after a cancel.
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

/// Why a response could not be read to its end.
public enum StreamFailure: Error, Sendable {
    /// The transfer broke off.
    case transport(TransportError)
    /// A deadline passed.
    case timeout(TimeoutPhase)
    /// The reader fell behind the server by this many bytes.
    case tooSlow(buffered: Int)
    /// A line, or the data of a server-sent event, has more bytes than may be kept.
    case lineTooLong(limit: Int)
    /// The status code of a success that has no events: anything but 200 and 204.
    case unexpectedStatus(HTTPStatus)
    /// The task that read was cancelled, or the call was.
    case cancelled
}

extension StreamFailure: CallError {
    public var isCancellation: Bool { if case .cancelled = self { true } else { false } }
    public var isTimeout: Bool { if case .timeout = self { true } else { false } }

    /// Whether the same stream may succeed later: the transfer broke off, or a deadline passed.
    public var isTransient: Bool {
        switch self {
        case .transport(let error): error.isTransient
        case .timeout: true
        case .tooSlow, .lineTooLong, .unexpectedStatus, .cancelled: false
        }
    }

    public var underlyingError: (any Error)? {
        if case .transport(let error) = self { error } else { nil }
    }
}

extension StreamFailure: CustomStringConvertible {
    /// One line for logs; with method and redacted URL where the transfer failed.
    public var description: String {
        switch self {
        case .transport(let error): error.description
        case .timeout(let phase): phase.line
        case .tooSlow, .lineTooLong, .unexpectedStatus, .cancelled: message
        }
    }

    /// One line for people, without the URL.
    public var message: String {
        switch self {
        case .transport(let error): error.message
        case .timeout(let phase): phase.message
        case .tooSlow(let count):
            "the reader is \(count) bytes behind the server, more than the buffer holds"
        case .lineTooLong(let limit): "a line exceeds the limit of \(limit) bytes"
        case .unexpectedStatus(let status):
            "a stream of events needs status 200 or 204, not \(status.rawValue)"
        case .cancelled: "the stream was canceled"
        }
    }
}
