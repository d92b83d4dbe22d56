/// An event of a call, for ``ObservationManager``.
public struct CallEvent: Sendable {
    /// The kinds of events.
    public enum Kind: Sendable {
        /// The request is valid and queued.
        ///
        /// The value is its method and redacted URL.
        case queued(String)
        /// An attempt started.
        ///
        /// It may wait for a connection.
        case attemptStarted(Int)
        /// The transport sends the request, for which it may first have to connect.
        case started
        /// The whole request body was sent, unless it is empty, or live and of unknown length.
        case sent
        /// A redirect is followed, to this redacted URL.
        case redirected(HTTPStatus, to: String)
        /// A redirect to another origin removes credentials.
        ///
        /// The value lists the removed header fields. The credential of ``Authentication`` is removed as well.
        case credentialsRemoved([HTTPHeaderName])
        /// ``Authentication`` recovered, and the request is resent.
        case refreshed(AuthenticationRecovery)
        /// A response of ``Endpoint/cache`` is used.
        case answeredFromCache(CacheOutcome)
        /// A download starts over instead of resuming its partial file.
        ///
        /// The value is a one-line reason.
        case startedOver(String)
        /// The complete response of an attempt arrived.
        case received(HTTPStatus)
        /// An attempt ended.
        ///
        /// The trace has its outcome and what follows, with the reason.
        case attemptFinished(AttemptTrace)
        /// The response was decoded.
        case decoded
        /// The call ended.
        ///
        /// The value is nil on success, or a one-line reason for the failure. No event follows.
        case finished(String?)
    }

    /// The number of the call, unique in the process and starting at 1.
    public let callID: Int
    /// The ``Request/name`` of the request.
    public let request: String
    /// The kind of event.
    public let kind: Kind
    /// The time of the event.
    public let time: ContinuousClock.Instant
}
