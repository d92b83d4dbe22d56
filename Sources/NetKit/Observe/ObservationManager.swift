import NetKitSupport

/// A registry of observers of an endpoint's calls.
///
/// It supports any number of observers and is safe to use from any thread. Observers run in the order of their
/// registration, in the call's task, and before the call delivers its outcome. They must therefore be fast. Every call
/// is observed to its end, including refused and canceled ones.
public final class ObservationManager: Sendable {
    /// Identifies a registration.
    public struct Token: Hashable, Sendable {
        fileprivate let id: ProcessUniqueID
    }

    fileprivate enum Observer: Sendable {
        /// Receives a request and its outcome if they have the observed type.
        case ofType(@Sendable (any Sendable, any Sendable) -> Void)
        case ofStatuses(Set<HTTPStatus>, @Sendable (HTTPResponse) -> Void)
        case ofEvents(@Sendable (CallEvent) -> Void)
        case ofExchanges(@Sendable (ObservedExchange) -> Void)
        case ofMeasurements(@Sendable (CallMeasurement) -> Void)
    }

    /// The kinds of observers that are registered.
    struct Audience: Sendable {
        var events = false
        var exchanges = false
        var measurements = false

        fileprivate mutating func add(_ observer: Observer) {
            switch observer {
            case .ofEvents: events = true
            case .ofExchanges: exchanges = true
            case .ofMeasurements: measurements = true
            case .ofType, .ofStatuses: break
            }
        }
    }

    private struct State {
        var observers: [(token: Token, observer: Observer)] = []
        /// The registered kinds.
        ///
        /// Reports for other kinds aren't created.
        var audience = Audience()
    }

    private let state: Locked<State>

    init() {
        state = Locked(State())
    }

    /// Creates a registry with the same observers.
    func copy() -> ObservationManager {
        ObservationManager(state.withLock { $0 })
    }

    private init(_ state: State) {
        self.state = Locked(state)
    }

    /// Registers an observer for calls of one type of request.
    ///
    /// - Parameters:
    ///   - type: The request type. A request that wraps one of it, such as a ``DownloadRequest`` or an ``AnyRequest``,
    ///     has a different type.
    ///   - observer: A closure that receives the original request and its outcome.
    /// - Returns: The token for ``unregister(_:)``.
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

    /// Registers an observer for final responses with certain status codes, including successes.
    ///
    /// - Parameters:
    ///   - statuses: The status codes to observe.
    ///   - observer: A closure that receives the response.
    /// - Returns: The token for ``unregister(_:)``.
    @discardableResult
    public func register(
        for statuses: Set<HTTPStatus>,
        _ observer: @escaping @Sendable (HTTPResponse) -> Void
    ) -> Token {
        add(.ofStatuses(statuses, observer))
    }

    /// Registers an observer for all events of all calls.
    ///
    /// - Parameter observer: A closure that receives the events. Those of one call arrive in order, and none follows
    ///   ``CallEvent/Kind/finished(_:)``.
    /// - Returns: The token for ``unregister(_:)``.
    @discardableResult
    public func registerEvents(_ observer: @escaping @Sendable (CallEvent) -> Void) -> Token {
        add(.ofEvents(observer))
    }

    /// Registers an observer for all exchanges of all calls.
    ///
    /// A cache's validations in the background belong to no call.
    ///
    /// - Parameter observer: A closure that receives each exchange when it ends. Those of one call arrive in order, and
    ///   none follows ``CallEvent/Kind/finished(_:)``.
    /// - Returns: The token for ``unregister(_:)``.
    @discardableResult
    public func registerExchanges(
        _ observer: @escaping @Sendable (ObservedExchange) -> Void
    ) -> Token {
        add(.ofExchanges(observer))
    }

    /// Registers an observer for measurements of all calls and their attempts.
    ///
    /// - Parameter observer: A closure that receives a measurement at the end of each attempt and each call.
    /// - Returns: The token for ``unregister(_:)``.
    @discardableResult
    public func registerMeasurements(
        _ observer: @escaping @Sendable (CallMeasurement) -> Void
    ) -> Token {
        add(.ofMeasurements(observer))
    }

    /// Removes an observer, or does nothing if it was removed already.
    ///
    /// An observer that is currently running finishes.
    ///
    /// - Parameter token: The token that ``register(for:_:)-(R.Type,_)`` or another registration returned.
    public func unregister(_ token: Token) {
        // What the observer has is released outside of the lock: its deinitializer may use the manager.
        let before = state.withLock { state in
            defer {
                state.observers.removeAll { $0.token == token }
                state.audience = state.observers.reduce(into: Audience()) { $0.add($1.observer) }
            }
            return (state.observers, state.audience)
        }
        withExtendedLifetime(before) {}
    }

    private func add(_ observer: Observer) -> Token {
        let token = Token(id: ProcessUniqueID())
        state.withLock { state in
            state.observers.append((token, observer))
            state.audience.add(observer)
        }
        return token
    }
}

// MARK: - Notifying observers

extension ObservationManager {
    /// Whether there are no observers.
    var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

    /// Notifies observers of a call that ended.
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

    /// Notifies observers of a stream's final response.
    ///
    /// Observers by type don't receive it.
    func received(_ response: HTTPResponse) {
        for case (_, .ofStatuses(let statuses, let observer)) in state.withLock({ $0.observers })
        where statuses.contains(response.status) {
            observer(response)
        }
    }

    /// The subscribers to call reports.
    ///
    /// Empty without observers of events, exchanges, or measurements.
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
