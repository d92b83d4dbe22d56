import Foundation

/// Reads JSON lines, and reconnects when the connection is lost.
struct JSONLineSource<R: Request> where R.ResponseObjectType: Decodable {
    typealias Line = R.ResponseObjectType

    private let endpoint: Endpoint
    private let resume: @Sendable (Line) throws -> R?
    private var request: R
    private var reconnection: Reconnection
    private var connection: (lines: LineReader, stream: ResponseStream)?
    /// The last value of this connection.
    private var last: Line?
    private var isOver = false

    init(
        of request: R,
        on endpoint: Endpoint,
        _ reconnection: Reconnection,
        resume: @escaping @Sendable (Line) throws -> R?
    ) {
        self.request = request
        self.endpoint = endpoint
        self.reconnection = reconnection
        self.resume = resume
    }

    /// Returns the next value, or nil at the end.
    mutating func next() async throws -> Line? {
        while !isOver {
            var loss: (any Error)?
            do {
                if let line = try await nextOfConnection() {
                    (last, reconnection.broughtElement) = (line, true)
                    return line
                }
            } catch {
                isOver = !Reconnection.isWorthwhile(after: error, for: R.self)
                if isOver { throw Reconnection.thrown(for: error, of: R.self) }
                loss = error
            }
            guard !isOver else { break }
            // An error here ends the lines.
            isOver = true
            guard try prepareRequest() else { break }
            try await reconnection.pause(after: loss, for: R.self)
            isOver = false
        }
        return nil
    }

    /// Creates the next request from the last value, if there is a new one.
    ///
    /// - Returns: Whether there is a request to send.
    private mutating func prepareRequest() throws -> Bool {
        guard let line = last else { return true }
        last = nil
        guard let next = try resume(line) else { return false }
        request = next
        return true
    }

    private static func isWhole(_ line: ArraySlice<UInt8>) -> Bool {
        // The reason doesn't matter, because the line was cut.
        (try? JSONText.value(of: Data(line))) != nil
    }

    /// Returns the next value of this connection or a new one, or nil at its end.
    private mutating func nextOfConnection() async throws -> Line? {
        var current: (lines: LineReader, stream: ResponseStream)
        if let connection {
            current = connection
        } else {
            let stream = try await endpoint.stream(request)
            guard stream.status != .noContent else {
                isOver = true
                return nil
            }
            current = (LineReader(stream), stream)
        }
        // A failed connection isn't read any more.
        connection = nil
        while let line = try await current.lines.next() {
            guard line.contains(where: { !$0.isJSONWhiteSpace }) else { continue }
            do {
                let value = try JSONDecoding.value(
                    Line.self,
                    from: Data(line),
                    decoder: current.stream.decoder
                )
                connection = current
                return value
            } catch  where current.lines.isAtRest && !Self.isWhole(line) {
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
    /// - ``DecodingFailure`` for a line that doesn't decode.
    /// - ``StreamFailure`` for a line of more than 1 MiB or a reader that is too slow.
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
        let handlers = onLostConnection.map { [$0] } ?? []
        return ResponseElements {
            let reconnection = Reconnection(on: self, after: delay, handlers)
            var source = JSONLineSource(of: request, on: self, reconnection, resume: resuming)
            return .init { try await source.next() }
        }
    }
}
