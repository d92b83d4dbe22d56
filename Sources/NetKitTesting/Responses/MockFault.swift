/// A way for a ``MockServer`` to let a client down instead of answering.
public enum MockFault: Hashable, Sendable {
    /// Reads the whole request, then closes the connection without a byte.
    case closeBeforeHead
    /// Reads the whole request, then resets the connection without a byte.
    case resetBeforeHead
    /// Reads the whole request and never answers, until the client leaves or the server stops.
    case stall
    /// Closes or resets a kept connection as the next request comes in on it.
    ///
    /// Queued with ``MockServer/enqueue(_:)`` it waits for a request on a connection that has
    /// answered one before, and lets requests on fresh connections pass. As a route's response it
    /// acts on the connection the request came on, when the whole request has been read.
    case closeReused(ReadPoint, reset: Bool)

    /// How much of a request is read before the connection is closed under it.
    public enum ReadPoint: Hashable, Sendable, CaseIterable {
        /// Nothing: its first bytes have arrived and stay unread.
        case beforeHead
        /// The head; the body, as far as it has not come along with the head, stays unread.
        case afterHead
        /// All of it, which is the case in which the server may have acted on it.
        case afterBody
    }

    /// Every way to close a connection that has just been used again: closed and reset, each at
    /// every ``ReadPoint``.
    public static let closesReusedConnection: [MockFault] = ReadPoint.allCases.flatMap { point in
        [.closeReused(point, reset: false), .closeReused(point, reset: true)]
    }
}
