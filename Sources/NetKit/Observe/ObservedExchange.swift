public import Foundation

/// One request as sent, and its response or failure.
///
/// Each redirect is a separate exchange. So is a response that ``Authentication`` recovered from, and a stored response
/// that is used without contacting the server.
///
/// An exchange contains everything that went over the wire, including secrets. Apply a ``Redaction`` before you store
/// or print any of it.
public struct ObservedExchange: Sendable {
    /// The number of the call, as in ``CallEvent/callID``.
    public let callID: Int
    /// The ``Request/name`` of the request.
    package let requestName: String
    /// The number of the attempt in its call, starting at 1.
    public let attempt: Int
    /// The request as sent.
    public let request: EncodedRequest
    /// The response, or nil if no complete one arrived.
    ///
    /// It doesn't include the body of a download or a stream.
    public let response: HTTPResponse?
    /// The number of body bytes that went to a file or a reader.
    ///
    /// Nil if the body is part of ``response``.
    package let streamedLength: Int64?
    /// The one-line redacted reason why no complete response arrived, or nil if one did.
    public let failure: String?
    /// The date when the request was ready to be sent.
    public let start: Date
    /// The time from then to the end of the exchange.
    public let duration: Duration
    /// The timing of the exchange's phases.
    public let phases: ExchangePhases
    /// ``CacheOutcome/hit`` or ``CacheOutcome/stale`` if a stored response was used and nothing was sent.
    package let cacheOutcome: CacheOutcome
    /// The date until which the stored response is fresh.
    package let expirationDate: Date?

    /// Creates an exchange as observers receive it.
    ///
    /// - Parameters:
    ///   - callID: The number of the call.
    ///   - requestName: The ``Request/name`` of the request.
    ///   - attempt: The number of the attempt in its call, starting at 1.
    ///   - request: The request as sent.
    ///   - response: The response, or nil if no complete one arrived.
    ///   - streamedLength: The number of body bytes that went to a file or a reader. Defaults to nil.
    ///   - failure: The reason why no complete response arrived, or nil if one did.
    ///   - start: The date when the request was ready to be sent.
    ///   - duration: The time from then to the end.
    ///   - phases: The timing of the phases.
    ///   - cacheOutcome: The part that the cache played. Defaults to ``CacheOutcome/none``.
    ///   - expirationDate: The date until which a stored response is fresh. Defaults to nil.
    package init(
        callID: Int,
        requestName: String,
        attempt: Int,
        request: EncodedRequest,
        response: HTTPResponse?,
        streamedLength: Int64? = nil,
        failure: String?,
        start: Date,
        duration: Duration,
        phases: ExchangePhases,
        cacheOutcome: CacheOutcome = .none,
        expirationDate: Date? = nil
    ) {
        (self.callID, self.requestName, self.attempt) = (callID, requestName, attempt)
        (self.request, self.response, self.streamedLength) = (request, response, streamedLength)
        (self.failure, self.start, self.duration, self.phases) = (failure, start, duration, phases)
        (self.cacheOutcome, self.expirationDate) = (cacheOutcome, expirationDate)
    }
}

extension ObservedExchange: Described {
    /// The request, and the status or the failure.
    ///
    /// Header values and bodies aren't included.
    package var shown: String {
        "\(request): \(response.map { "\($0.status)" } ?? failure ?? "no response")"
    }
}

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
