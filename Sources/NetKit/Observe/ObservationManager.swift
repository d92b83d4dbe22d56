import Foundation
import NetKitSupport

/// A registry of observers of an endpoint's calls.
///
/// It supports any number of observers and is safe to use from any thread. Observers of a call run one after the other,
/// in the order of their registration, in the call's task or on a thread of its transport. They must therefore be fast:
/// meanwhile, neither that call nor, over URLSession on Linux, any other transfer goes on. Every call is observed to its
/// end, including refused and canceled ones. The call doesn't wait for an observer on another thread.
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

        /// Whether it observes a call on its way, not only its end.
        var needsReports: Bool {
            switch self {
            case .ofEvents, .ofExchanges, .ofMeasurements: true
            case .ofType, .ofStatuses: false
            }
        }
    }

    private let observers: Locked<[(token: Token, observer: Observer)]>

    init() { observers = Locked([]) }

    /// Creates a registry with the same observers.
    func copy() -> ObservationManager {
        ObservationManager(observers.withLock { $0 })
    }

    private init(_ observers: [(token: Token, observer: Observer)]) {
        self.observers = Locked(observers)
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
    /// An observer that is currently running finishes, and it may still receive the report that is being delivered.
    ///
    /// - Parameter token: The token that ``register(for:_:)-(R.Type,_)`` or another registration returned.
    public func unregister(_ token: Token) {
        // What the observer has is released outside of the lock: its deinitializer may use the manager.
        let before = observers.withLock { observers in
            defer { observers.removeAll { $0.token == token } }
            return observers
        }
        withExtendedLifetime(before) {}
    }

    private func add(_ observer: Observer) -> Token {
        let token = Token(id: ProcessUniqueID())
        observers.withLock { $0.append((token, observer)) }
        return token
    }
}

// MARK: - Notifying observers

extension ObservationManager {
    /// Whether there are no observers.
    var isEmpty: Bool { observers.withLock { $0.isEmpty } }

    /// Notifies observers of a call that ended.
    func finished<R: Request>(
        _ request: R,
        _ outcome: Result<R.ResponseObjectType, ErrorResponse<R.ErrorType>>,
        response: HTTPResponse?
    ) {
        for (_, observer) in observers.withLock({ $0 }) {
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
        for case (_, .ofStatuses(let statuses, let observer)) in observers.withLock({ $0 })
        where statuses.contains(response.status) {
            observer(response)
        }
    }

    /// The subscribers to call reports.
    ///
    /// Empty without observers of events, exchanges, or measurements.
    var subscribers: [any CallSubscriber] {
        observers.withLock { $0.contains { $0.observer.needsReports } } ? [self] : []
    }
}

extension ObservationManager: CallSubscriber {
    /// Converts a call's report to the event, the exchange, or the measurement that observers receive.
    func receive(_ report: CallReport, of call: CallSummary) {
        // Only what an observer receives is made.
        lazy var event = CallEvent(report, of: call)
        lazy var exchange = ObservedExchange(report, of: call)
        lazy var measurement = CallMeasurement(report, of: call)
        for (_, observer) in observers.withLock({ $0 }) {
            switch observer {
            case .ofEvents(let observer): if let event { observer(event) }
            case .ofExchanges(let observer): if let exchange { observer(exchange) }
            case .ofMeasurements(let observer): if let measurement { observer(measurement) }
            case .ofType, .ofStatuses: break
            }
        }
    }
}

extension CallEvent {
    fileprivate init?(_ report: CallReport, of call: CallSummary) {
        guard let kind = Kind(report) else { return nil }
        self.init(callID: call.id, request: call.requestName, kind: kind, time: call.time)
    }
}

extension CallEvent.Kind {
    /// Converts a report to an event, or returns nil for other reports.
    fileprivate init?(_ report: CallReport) {
        switch report {
        case .queued(let request): self = .queued(request.description)
        case .attempt(let number): self = .attemptStarted(number)
        case .started: self = .started
        case .sent: self = .sent
        case .redirected(let status, let url): self = .redirected(status, to: "\(RedactedURL(url))")
        case .credentialsRemoved(let names): self = .credentialsRemoved(names)
        case .refreshed(let recovery): self = .refreshed(recovery)
        case .answeredFromCache(let result, _): self = .answeredFromCache(result.cacheOutcome)
        case .startedOver(let reason): self = .startedOver(reason.description)
        case .received(let response): self = .received(response.status)
        case .attempted(_, let trace): self = .attemptFinished(trace)
        case .decoded: self = .decoded
        case .finished(let failure, _, _): self = .finished(failure)
        case .sending, .exchanged, .joined, .authenticationHidden, .cookiesNotSaved,
            .cacheUnavailable, .undecodable:
            return nil
        }
    }
}

extension ObservedExchange {
    /// Converts a report of an exchange, or of a stored response that spared one.
    fileprivate init?(_ report: CallReport, of call: CallSummary) {
        let (result, start, duration): (AttemptResult, Date, Duration)
        var expiration: Date?
        switch report {
        case .exchanged(let sent, let time, let length):
            (result, start, duration) = (sent, time, length)
        case .answeredFromCache(let stored, let freshUntil)
        where stored.cacheOutcome != .revalidated:
            (result, start, duration) = (stored, Date(), .zero)
            expiration = freshUntil
        default: return nil
        }
        self.init(
            callID: call.id,
            requestName: call.requestName,
            attempt: result.attempt,
            request: result.request,
            response: result.response,
            streamedLength: result.streamedLength,
            failure: result.failure?.line,
            start: start,
            duration: duration,
            phases: result.phases ?? ExchangePhases(queue: duration),
            cacheOutcome: result.cacheOutcome,
            expirationDate: expiration
        )
    }
}

extension CallMeasurement {
    /// Creates the measurement of an ended attempt or call, or returns nil for other reports.
    fileprivate init?(_ report: CallReport, of call: CallSummary) {
        let (scope, isSuccessful, duration): (Scope, Bool, Duration)
        switch report {
        case .attempted(let result, let trace):
            (scope, isSuccessful, duration) = (
                .attempt(trace.number), result.isSuccessful, trace.duration
            )
        case .finished(let failure, _, _):
            (scope, isSuccessful) = (.call(attempts: call.attempts), failure == nil)
            duration = call.elapsed
        default: return nil
        }
        self.init(
            scope: scope,
            requestName: call.requestName,
            method: call.request?.method.rawValue ?? "",
            host: call.request?.url.host ?? "",
            status: call.status,
            cacheOutcome: call.cacheOutcome,
            isSuccessful: isSuccessful,
            duration: duration
        )
    }
}
