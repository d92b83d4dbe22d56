/// How long the parts of one exchange with a server took, as far as that can be seen.
///
/// Name look-up, connecting and the TLS handshake cannot be told apart over URLSession on Linux; they
/// are part of ``head``.
public struct ExchangePhases: Hashable, Sendable {
    /// Waiting for a place among the endpoint's requests.
    public let queued: Duration
    /// From then to the response's head: sending the request, and the server's own time; nil where no head came.
    public let head: Duration?
    /// From the head to the end of the body; nil where no head came.
    public let body: Duration?

    /// Makes phases.
    ///
    /// - Parameters:
    ///   - queued: Waiting for a place.
    ///   - head: From then to the response's head, nil without one.
    ///   - body: From the head to the end of the body, nil without a head.
    package init(queued: Duration, head: Duration? = nil, body: Duration? = nil) {
        self.queued = queued
        self.head = head
        self.body = body
    }
}
