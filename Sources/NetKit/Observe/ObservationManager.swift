/// Who is told of the calls of an endpoint; any number of observers, from any thread.
///
/// Observers are called in the order in which they were registered, in the call's own task, before its outcome is
/// given to anybody: let them be quick. Every call is observed to its end, also one that was refused or cancelled.
public final class ObservationManager: Sendable {
    /// Names a registration.
    public struct Token: Hashable, Sendable {
        fileprivate let number: Int
    }

    private enum Observer: Sendable {
        /// Takes a request and its outcome, if they are of its type.
        case ofType(@Sendable (any Sendable, any Sendable) -> Void)
        case ofStatuses(Set<HTTPStatus>, @Sendable (HTTPResponse) -> Void)
        case ofEvents(@Sendable (CallEvent) -> Void)
        case ofExchanges(@Sendable (ObservedExchange) -> Void)
        case ofMeasurements(@Sendable (CallMeasurement) -> Void)
    }

    /// What there are observers of.
    struct Audience: Sendable {
        var events = false
        var exchanges = false
        var measurements = false
    }

    private struct State {
        var observers: [(token: Token, observer: Observer)] = []
        var lastNumber = 0
        /// What anybody listens to, which is not made otherwise.
        var audience = Audience()
    }

    private let state: Locked<State>

    init() {
        state = Locked(State())
    }

    /// A manager with the same observers.
    func copy() -> ObservationManager {
        ObservationManager(state.withLock { $0 })
    }

    private init(_ state: State) {
        self.state = Locked(state)
    }

    /// Observes the calls of one type of request.
    ///
    /// - Parameters:
    ///   - type: The type. A ``DownloadRequest`` of it is another one.
    ///   - observer: Gets the request as it was first described, and its one outcome.
    /// - Returns: What ends the observation.
    @discardableResult
    public func register<R: Request>(
        for type: R.Type,
        _ observer:
            @escaping @Sendable (R, Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>) ->
            Void
    ) -> Token {
        add(
            .ofType { request, outcome in
                guard let request = request as? R,
                    let outcome = outcome
                        as? Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>
                else { return }
                observer(request, outcome)
            }
        )
    }

    /// Observes the final responses of all calls by their status, successes too.
    ///
    /// - Parameters:
    ///   - statuses: Which statuses.
    ///   - observer: Gets the response.
    /// - Returns: What ends the observation.
    @discardableResult
    public func register(
        for statuses: Set<HTTPStatus>,
        _ observer: @escaping @Sendable (HTTPResponse) -> Void
    ) -> Token {
        add(.ofStatuses(statuses, observer))
    }

    /// Observes everything that happens to all calls.
    ///
    /// - Parameter observer: Gets the events; those of one call in order, and none after its
    ///   ``CallEvent/Kind/finished(_:)``.
    /// - Returns: What ends the observation.
    @discardableResult
    public func register(_ observer: @escaping @Sendable (CallEvent) -> Void) -> Token {
        add(.ofEvents(observer))
    }

    /// Observes everything that is sent and received for all calls, each exchange once it is over.
    ///
    /// - Parameter observer: Gets the exchanges; those of one call in order, and none after its
    ///   ``CallEvent/Kind/finished(_:)``.
    /// - Returns: What ends the observation.
    @discardableResult
    public func registerExchanges(
        _ observer: @escaping @Sendable (ObservedExchange) -> Void
    ) -> Token {
        add(.ofExchanges(observer))
    }

    /// Measures all calls and their attempts.
    ///
    /// - Parameter observer: Gets what was measured of each attempt once it is over, and of each call at its end.
    /// - Returns: What ends the observation.
    @discardableResult
    public func registerMeasurements(
        _ observer: @escaping @Sendable (CallMeasurement) -> Void
    ) -> Token {
        add(.ofMeasurements(observer))
    }

    /// Ends an observation; nothing if it has ended.
    ///
    /// An observer that is being called at this moment runs to its end.
    ///
    /// - Parameter token: What ``register(for:_:)-(R.Type,_)`` or another registration returned.
    public func unregister(_ token: Token) {
        state.withLock { state in
            state.observers.removeAll { $0.token == token }
            state.audience = Self.audience(of: state.observers.map(\.observer))
        }
    }

    private func add(_ observer: Observer) -> Token {
        state.withLock { state in
            state.lastNumber += 1
            let token = Token(number: state.lastNumber)
            state.observers.append((token, observer))
            state.audience = Self.audience(of: state.observers.map(\.observer))
            return token
        }
    }

    private static func audience(of observers: [Observer]) -> Audience {
        observers.reduce(into: Audience()) { audience, observer in
            switch observer {
            case .ofEvents: audience.events = true
            case .ofExchanges: audience.exchanges = true
            case .ofMeasurements: audience.measurements = true
            case .ofType, .ofStatuses: break
            }
        }
    }
}

// MARK: - What the calls say

extension ObservationManager {
    /// Whether anybody is told of anything.
    var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

    /// A call has ended.
    func finished<R: Request>(
        _ request: R,
        _ outcome: Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>,
        response: HTTPResponse?
    ) {
        for (_, observer) in state.withLock({ $0.observers }) {
            switch observer {
            case .ofType(let observer): observer(request, outcome)
            case .ofStatuses(let statuses, let observer):
                if let response, statuses.contains(response.status) { observer(response) }
            case .ofEvents, .ofExchanges, .ofMeasurements: break
            }
        }
    }

    /// The final response of a stream is there, of which those by type do not hear.
    func received(_ response: HTTPResponse) {
        for case (_, .ofStatuses(let statuses, let observer)) in state.withLock({ $0.observers })
        where statuses.contains(response.status) {
            observer(response)
        }
    }

    /// The subscribers to what calls report; none without observers of events, exchanges or measurements.
    var subscribers: [any CallSubscriber] {
        let audience = state.withLock { $0.audience }
        guard audience.events || audience.exchanges || audience.measurements else { return [] }
        return [ObserverNotifier(observation: self, audience: audience)]
    }

    /// Notifies the observers of events.
    func notify(_ event: CallEvent) {
        for case (_, .ofEvents(let observer)) in state.withLock({ $0.observers }) {
            observer(event)
        }
    }

    /// Notifies the observers of measurements.
    func notify(_ measurement: CallMeasurement) {
        for case (_, .ofMeasurements(let observer)) in state.withLock({ $0.observers }) {
            observer(measurement)
        }
    }

    /// Notifies the observers of exchanges.
    func notify(_ exchange: ObservedExchange) {
        for case (_, .ofExchanges(let observer)) in state.withLock({ $0.observers }) {
            observer(exchange)
        }
    }
}
