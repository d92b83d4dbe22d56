import Foundation
import NetKitSupport

/// An interceptor that stops sending to a failing host, then probes for recovery.
///
/// A sent attempt counts as failed without a complete response, such as without a connection, or with a status code of 500
/// or above, unless a redirect to another origin led to it. The cache's answers don't count, nor do attempts that were canceled or failed before they
/// were sent. Several endpoints can share a circuit breaker. Put it before the interceptors that it should also skip:
///
/// ```swift
/// endpoint.interceptors = [CircuitBreaker()]
/// ```
public final class CircuitBreaker: Interceptor {
    private let now: @Sendable () -> UInt64
    private let circuits: Locked<Circuits>

    /// Creates a circuit breaker with a separate circuit for each origin.
    ///
    /// - Parameters:
    ///   - failureRatio: The ratio of failed attempts that opens the circuit, from 0 to 1. At 0, one is enough.
    ///     Defaults to 0.5.
    ///   - minimumAttempts: The minimum number of attempts in the window for opening the circuit, from 1 to 1,000. Defaults
    ///     to 10.
    ///   - window: The time for which attempts count, the last 1,000 of them. Defaults to 30 seconds.
    ///   - pause: The time before an open circuit allows a probe, and another one if that hasn't ended. Defaults to 5
    ///     seconds.
    public convenience init(
        failureRatio: Double = 0.5,
        minimumAttempts: Int = 10,
        window: Duration = .seconds(30),
        pause: Duration = .seconds(5)
    ) {
        let settings = CircuitState.Settings(
            failureRatio: min(1, max(0, failureRatio)),
            minimumAttempts: min(CircuitState.maximumAttempts, max(1, minimumAttempts)),
            window: window.clampedNanoseconds,
            pause: pause.clampedNanoseconds
        )
        self.init(settings) { RequestContext.current.clock.now }
    }

    init(_ settings: CircuitState.Settings, now: @escaping @Sendable () -> UInt64) {
        circuits = Locked(Circuits(settings))
        self.now = now
    }

    /// Sends the request unless the circuit of its host is open.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: Sends the request to the next interceptor.
    /// - Returns: The response.
    /// - Throws: ``CircuitOpenError`` if the circuit is open. The call then fails with it, as
    ///   ``ErrorResponse/interceptor(_:)``, or with the attempt before if it is a retry.
    public func intercept(_ request: EncodedRequest, next: Next) async throws -> HTTPResponse {
        guard let origin = request.origin, !RequestContext.current.isOnlyIfCached else {
            return try await next(request)
        }
        let decision = circuits.withLock { $0.begin(origin, at: now()) }
        if case .refuse(let wait) = decision {
            throw CircuitOpenError(retryAfter: .nanoseconds(Int64(clamping: wait)))
        }
        var note = SendNote()
        defer {
            let hasFailed = note.hasFailedHost
            circuits.withLock { circuits in
                circuits.end(origin, hasFailed, isProbe: decision == .probe, at: now())
            }
        }
        return try await next.send(request, notingIn: &note)
    }
}

extension SendNote {
    mutating func note(_ result: AttemptResult, of request: EncodedRequest) {
        if let hasFailed = result.hasFailedHost(of: request) { hasFailedHost = hasFailed }
        status = result.response?.status ?? result.head?.status
        (connection, isStream) = (result.phases?.connection, result.request.kind == .stream)
    }
}

extension AttemptResult {
    /// Returns whether the host of a request failed, or nil if the result doesn't show it.
    ///
    /// What wasn't sent, such as a request whose deadline passed in the queue, says nothing about the host. Nor does the
    /// cache's answer, or a failure of the caller's own code or of a refresh.
    func hasFailedHost(of request: EncodedRequest) -> Bool? {
        guard isSent else { return nil }
        // It redirected to the other host, so that it works.
        let isOfOther = self.request.origin != request.origin
        switch outcome {
        case .response(let response):
            guard !response.isOfCache else { return nil }
            return response.status.rawValue >= 500 && !(response.isRedirected && isOfOther)
        case .failure(.transport(let error)):
            return error.place.isInRefresh ? nil : !isOfOther
        case .failure(.timeout(let phase)):
            return phase.place.isInRefresh ? nil : !isOfOther
        case .failure(.cancelled), .failure(.invalidRequest), .failure(.interceptor): return nil
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
