import Foundation

/// An interceptor that stops sending to a failing host, then probes for recovery.
///
/// An attempt counts as failed without a complete response or with a status code of 500 or above. Several endpoints can
/// share a circuit breaker. Put it before the interceptors that it should also skip:
///
/// ```swift
/// endpoint.interceptors = [CircuitBreaker()]
/// ```
public final class CircuitBreaker: Interceptor {
    private let settings: CircuitState.Settings
    private let now: @Sendable () -> UInt64
    private let hosts = Locked<[Origin: CircuitState]>([:])

    /// Creates a circuit breaker with a separate circuit for each host.
    ///
    /// - Parameters:
    ///   - failureRatio: The ratio of failed attempts that opens the circuit, from 0 to 1. Defaults to 0.5.
    ///   - minimumAttempts: The minimum number of attempts in the window for opening the circuit. Defaults to 10.
    ///   - window: The time for which attempts count. Defaults to 30 seconds.
    ///   - pause: The time before an open circuit allows a probe. Defaults to 5 seconds.
    public convenience init(
        failureRatio: Double = 0.5,
        minimumAttempts: Int = 10,
        window: Duration = .seconds(30),
        pause: Duration = .seconds(5)
    ) {
        let settings = CircuitState.Settings(
            failureRatio: min(1, max(0, failureRatio)),
            minimumAttempts: max(1, minimumAttempts),
            window: window.clampedNanoseconds,
            pause: pause.clampedNanoseconds
        )
        self.init(settings) { RequestContext.current.clock.now }
    }

    init(_ settings: CircuitState.Settings, now: @escaping @Sendable () -> UInt64) {
        self.settings = settings
        self.now = now
    }

    /// Sends the request unless the circuit of its host is open.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: Sends the request to the next interceptor.
    /// - Returns: The response.
    /// - Throws: ``CircuitOpenError`` if the circuit is open. The call then fails with it, as
    ///   ``ErrorResponse/interceptor(_:)``.
    public func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        guard let origin = request.origin else { return try await next(request) }
        let decision = hosts.withLock { hosts in
            hosts[origin, default: CircuitState()].begin(at: now(), settings)
        }
        if case .refuse(let wait) = decision {
            throw CircuitOpenError(retryAfter: .nanoseconds(Int64(clamping: wait)))
        }
        var failed: Bool?
        defer {
            hosts.withLock { hosts in
                hosts[origin]?.end(failed, isProbe: decision == .probe, at: now(), settings)
            }
        }
        do {
            let response = try await next(request)
            failed = response.status.rawValue >= 500
            return response
        } catch {
            if case .cancelled = CallFailure(thrown: error) { failed = nil } else { failed = true }
            throw error
        }
    }
}

/// An error for a request that a ``CircuitBreaker`` didn't send, because its host keeps failing.
public struct CircuitOpenError: CallError, Hashable, Described {
    /// The time until the circuit breaker allows a probe.
    public let retryAfter: Duration

    /// A one-line lowercase description.
    package var shown: String {
        "the circuit breaker is open: the host keeps failing; the next request may be sent in \(DurationText(retryAfter))"
    }

    /// Whether the host may recover.
    ///
    /// Always `true`.
    public var isTransient: Bool { true }
}

/// A pure value with the state of a host's circuit.
///
/// Times are in nanoseconds.
struct CircuitState: Sendable {
    /// The conditions for opening a circuit, and its duration.
    struct Settings: Equatable, Sendable {
        /// The ratio of failures that opens the circuit.
        var failureRatio: Double
        /// The minimum number of attempts in the window for opening the circuit.
        var minimumAttempts: Int
        /// The time for which attempts count.
        var window: UInt64
        /// The time that the circuit stays open.
        var pause: UInt64
    }

    /// The decision about an attempt.
    enum Decision: Equatable, Sendable {
        case pass
        /// Allow the attempt, whose outcome closes or reopens the circuit.
        case probe
        /// Refuse the attempt.
        ///
        /// The value is the time until the next probe.
        case refuse(UInt64)
    }

    private enum Phase: Sendable {
        case closed
        case open(until: UInt64)
        case probing
    }

    private var phase = Phase.closed
    private var outcomes: [(time: UInt64, failed: Bool)] = []

    /// Decides about an attempt.
    mutating func begin(at now: UInt64, _ settings: Settings) -> Decision {
        switch phase {
        case .closed: return .pass
        case .open(let time) where now < time: return .refuse(time - now)
        case .open:
            phase = .probing
            return .probe
        case .probing: return .refuse(settings.pause)
        }
    }

    /// Records the outcome of an attempt.
    ///
    /// - Parameters:
    ///   - failed: Whether the host failed, or nil if the attempt was canceled.
    ///   - isProbe: Whether ``begin(at:_:)`` returned a probe.
    ///   - now: The current time.
    ///   - settings: The settings of the circuit.
    mutating func end(_ failed: Bool?, isProbe: Bool, at now: UInt64, _ settings: Settings) {
        if isProbe {
            switch failed {
            case true?: phase = .open(until: now &+ settings.pause)
            case false?: (phase, outcomes) = (.closed, [])
            case nil: phase = .open(until: now)
            }
            return
        }
        guard case .closed = phase, let failed else { return }
        outcomes.append((now, failed))
        if let first = outcomes.first, first.time &+ settings.window <= now || outcomes.count > 1000
        {
            outcomes.removeAll { $0.time &+ settings.window <= now }
            outcomes = outcomes.suffix(500)
        }
        let failures = outcomes.count(where: \.failed)
        guard outcomes.count >= settings.minimumAttempts,
            Double(failures) >= settings.failureRatio * Double(outcomes.count)
        else { return }
        (phase, outcomes) = (.open(until: now &+ settings.pause), [])
    }
}
