/// An event on a connection of a ``MockServer``, and its time.
public struct ConnectionEvent: Hashable, Sendable {
    /// The kinds of events.
    public enum Kind: Hashable, Sendable {
        /// The server accepted the connection.
        case accepted
        /// A request's head was read in full.
        case requestHeadReceived
        /// A request was read in full, including its body.
        case requestReceived
        /// The client closed or reset the connection before the server did.
        case clientClosed
        /// The server closed or reset the connection before the client did.
        case serverClosed
    }

    /// The kind of the event.
    public let kind: Kind
    /// The number of the connection, counted from 1 in the order of acceptance.
    public let connectionID: Int
    /// The time when the server noticed the event, on the monotonic clock.
    public let time: ContinuousClock.Instant
}
