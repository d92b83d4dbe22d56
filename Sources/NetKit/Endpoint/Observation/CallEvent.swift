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
        /// ``Authentication`` wants the request to be sent again.
        case refreshed(AuthenticationRecovery)
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

/// Tells an endpoint's observers what happens to one call.
struct CallReporter: Sendable {
    private static let lastID = Locked(0)

    private let callID: Int
    private let request: String
    private let observation: ObservationManager

    /// The reporter of a call; nil if nobody listens.
    init?(_ request: Any.Type, _ observation: ObservationManager) {
        guard observation.hasEventObservers else { return nil }
        callID = Self.lastID.withLock { id in
            id += 1
            return id
        }
        self.request = String(describing: request)
        self.observation = observation
    }

    /// Tells that something has happened now.
    func callAsFunction(_ kind: CallEvent.Kind) {
        observation.tell(CallEvent(callID: callID, request: request, kind: kind, time: .now))
    }
}
