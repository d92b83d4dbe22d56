/// Something that happened to a call, for ``ObservationManager``.
public struct CallEvent: Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// The call was described and checked, and waits to be sent. Method and address without secrets.
        case queued(String)
        /// An attempt has begun; it may wait for a connection.
        case attempt(Int)
        /// A request has one of the host's connections, and is sent.
        case started
        /// The whole of the request's body has been handed over.
        case sent
        /// A redirect is followed, to this address without secrets.
        case redirected(HTTPStatus, to: String)
        /// A redirect leads to another origin, where these fields, and what ``Authentication`` adds, do not go along.
        case credentialsLeftBehind([HTTPHeaderName])
        /// ``Authentication`` wants the request to be sent again.
        case refreshed(AuthenticationRecovery)
        /// A response of ``Endpoint/cache`` is used.
        case answeredFromCache(CacheOutcome)
        /// The whole response of an attempt has come.
        case received(HTTPStatus)
        /// An attempt is over: what became of it, and whether it is tried again and why.
        case decided(AttemptTrace)
        /// The value was decoded.
        case decoded
        /// The call is over: nil on success, else one line that says why.
        case finished(String?)
    }

    /// Tells the calls of this process apart, counted from 1.
    public let callID: Int
    /// The request's type.
    public let request: String
    /// What happened.
    public let kind: Kind
    /// When it happened.
    public let time: ContinuousClock.Instant
}
