/// A failure of a ``MockServer`` in place of a response.
public enum MockFault: Hashable, Sendable {
    /// Reads the whole request, then closes the connection without a byte.
    case closeBeforeHead
    /// Reads the whole request, then resets the connection without a byte.
    case resetBeforeHead
    /// Reads the whole request and never responds, until the client disconnects or the server
    /// stops.
    case stall
    /// Closes or resets a kept connection when its next request arrives.
    ///
    /// In the queue (``MockServer/enqueue(_:)``), it waits for a request on a connection that has
    /// already served one. Requests on new connections skip it. As a route's response, it applies
    /// to the request's own connection, after the whole request has been read.
    case closeReusedConnection(ReadPoint, reset: Bool)

    /// How much of a request the server reads before it closes the connection.
    public enum ReadPoint: Hashable, Sendable, CaseIterable {
        /// The server reads nothing, although the first bytes have arrived.
        case beforeHead
        /// The server reads the head; the rest of the body stays unread.
        case afterHead
        /// The server reads everything, so it may have acted on the request.
        case afterBody
    }

    /// Every way to close a reused connection: closed and reset, at each ``ReadPoint``.
    public static let reusedConnectionFaults: [MockFault] = ReadPoint.allCases.flatMap { point in
        [.closeReusedConnection(point, reset: false), .closeReusedConnection(point, reset: true)]
    }
}
