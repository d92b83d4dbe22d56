/// The timing of one exchange, by phases.
///
/// The ``head`` phase includes name lookup, connecting, and the TLS handshake, which URLSession on Linux doesn't report
/// separately.
public struct ExchangePhases: Hashable, Sendable {
    /// The time in the endpoint's queue.
    public let queued: Duration
    /// The time from the end of the queue to the response's head.
    ///
    /// It covers sending the request and the server's own time. Nil without a head.
    public let head: Duration?
    /// The time from the head to the end of the body.
    ///
    /// Nil without a head.
    public let body: Duration?

    /// Creates phases.
    ///
    /// - Parameters:
    ///   - queued: The time in the endpoint's queue.
    ///   - head: The time from then to the response's head. Defaults to nil for no head.
    ///   - body: The time from the head to the end of the body. Defaults to nil for no head.
    package init(queued: Duration, head: Duration? = nil, body: Duration? = nil) {
        self.queued = queued
        self.head = head
        self.body = body
    }
}
