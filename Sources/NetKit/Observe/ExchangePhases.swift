/// The timing of one exchange, by phases.
///
/// ``headDuration`` includes name lookup, connecting, and the TLS handshake, which URLSession on Linux doesn't report
/// separately.
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

    /// Creates phases.
    ///
    /// - Parameters:
    ///   - queue: The time in the endpoint's queue.
    ///   - head: The time from then to the response's head. Defaults to nil for no head.
    ///   - body: The time from the head to the end of the body. Defaults to nil for no head.
    package init(queue: Duration, head: Duration? = nil, body: Duration? = nil) {
        queueDuration = queue
        headDuration = head
        bodyDuration = body
    }
}
