import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Leaves a host alone that does nothing but fail, for a while; then one attempt finds out whether it is back.
///
/// An attempt fails here when no whole response comes, or one of status 500 or above. It may be shared by several
/// endpoints. It is used by putting it among the interceptors, in front of all that should not be asked either:
///
/// ```swift
/// endpoint.interceptors = [CircuitBreaker()]
/// ```
public final class CircuitBreaker: Interceptor {
    private let settings: CircuitState.Settings
    private let now: @Sendable () -> UInt64
    private let hosts = Locked<[Origin: CircuitState]>([:])

    /// Makes a circuit breaker; each host has a circuit of its own.
    ///
    /// - Parameters:
    ///   - failureRatio: The share of attempts that have to fail, between 0 and 1. Defaults to a half.
    ///   - minimumAttempts: How many attempts there have to be for that. Defaults to 10.
    ///   - window: How far back attempts count. Defaults to 30 seconds.
    ///   - pause: How long the host is left alone. Defaults to 5 seconds.
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

    /// Sends the request, unless its host is left alone.
    ///
    /// - Throws: ``CircuitOpen`` if it is; the call ends with it as ``ErrorResponse/interceptor(_:)``.
    public func intercept(
        _ request: URLRequest,
        next: @concurrent @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let origin = request.url.flatMap({ Origin($0) }) else {
            return try await next(request)
        }
        let decision = hosts.withLock { hosts in
            hosts[origin, default: CircuitState()].begin(at: now(), settings)
        }
        if case .refuse(let wait) = decision {
            throw CircuitOpen(retryAfter: .nanoseconds(Int64(clamping: wait)))
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

/// A host is left alone by a ``CircuitBreaker``; nothing was sent.
public struct CircuitOpen: CallError, Hashable, CustomStringConvertible {
    /// How long until it is worth asking again.
    public let retryAfter: Duration

    /// What happened, as one lower-case line.
    public var description: String {
        "the circuit breaker is open: the host keeps failing; the next request may be sent in \(retryAfter)"
    }

    /// True: the host may recover.
    public var isTransient: Bool { true }
}
