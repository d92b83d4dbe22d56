/// Something that happened on one of a ``MockServer``'s connections, and when.
public struct ConnectionEvent: Hashable, Sendable {
    /// What can happen on a connection.
    public enum Kind: Hashable, Sendable {
        /// The server accepted the connection.
        case accepted
        /// A request's head has been read in full.
        case requestHead
        /// A request has been read in full, body included.
        case requestComplete
        /// The client closed or reset the connection before the server did.
        case clientClosed
        /// The server closed or reset the connection before the client did.
        case serverClosed
    }

    /// What happened.
    public let kind: Kind
    /// On which connection: the first one a server accepts is 1, the next one 2 and so on.
    public let connectionID: Int
    /// When the server noticed it, on the monotonic clock.
    public let time: ContinuousClock.Instant
}
