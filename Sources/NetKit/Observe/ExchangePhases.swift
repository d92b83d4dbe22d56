/// The timing of one exchange, by phases.
///
/// ``headDuration`` includes name lookup, connecting, and the TLS handshake. ``connection`` has them separately where the
/// transport reports them.
public struct ExchangePhases: Hashable, Sendable {
    /// The time in the endpoint's queue.
    public let queueDuration: Duration
    /// The time from the end of the queue to the response's head.
    ///
    /// It covers sending the request and the server's own time. Nil without a head.
    public let headDuration: Duration?
    /// The time from the head to the end of the body.
    ///
    /// Nil without a head.
    public let bodyDuration: Duration?
    /// Facts about the connection.
    ///
    /// Nil without a head, or if the transport can't tell, such as `URLSession` on Linux.
    public let connection: ConnectionFacts?

    /// Creates phases.
    ///
    /// - Parameters:
    ///   - queue: The time in the endpoint's queue.
    ///   - head: The time from then to the response's head. Defaults to nil for no head.
    ///   - body: The time from the head to the end of the body. Defaults to nil for no head.
    ///   - connection: Facts about the connection. Defaults to nil for none.
    package init(
        queue: Duration,
        head: Duration? = nil,
        body: Duration? = nil,
        connection: ConnectionFacts? = nil
    ) {
        self.connection = connection
        queueDuration = queue
        headDuration = head
        bodyDuration = body
    }
}
