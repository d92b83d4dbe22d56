public import Dispatch
public import Foundation
package import NetKitSupport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A server's base URL, and the settings that its requests share.
///
/// Settings include header fields, authentication, the decoder, and the retry, redirect, and timeout policies. You can
/// change any of them at any time and from any thread. A call uses those at its start for all its attempts. Limits on
/// requests in flight apply at once. Only the base URL and the transport are fixed.
///
/// You don't have to retain an endpoint: it stays alive until its calls in flight end.
public final class Endpoint: Sendable {
    /// The endpoint for requests that don't specify one.
    ///
    /// Defaults to nil.
    public static var `default`: Endpoint? {
        get { defaultEndpoint.withLock { $0 } }
        set {
            // Released outside of the lock.
            let before = defaultEndpoint.withLock { endpoint in
                defer { endpoint = newValue }
                return endpoint
            }
            withExtendedLifetime(before) {}
        }
    }

    private static let defaultEndpoint = Locked<Endpoint?>(nil)

    /// The endpoint for requests with absolute URLs.
    ///
    /// Its base URL is a reserved name that never resolves (RFC 6761, section 6.4).
    package static let ofAddressedRequests = URL(string: "http://base.invalid")
        .map { Endpoint(baseURL: $0) }

    /// The decoder if neither the operation, the request, nor the endpoint specifies one.
    static let defaultDecoder = JSONDecoder()

    /// The URL that request paths are appended to.
    public let baseURL: URL
    /// The session configuration that the endpoint was created with.
    ///
    /// Changing it has no effect, because it is read only when the endpoint is created. A transport that you pass may
    /// use another configuration.
    public let sessionConfiguration: URLSessionConfiguration
    let transport: any Transport
    /// The user that the transport's connections stand for.
    package let connection: ConnectionIdentity
    package let clock: DeadlineClock
    let additionalHeaders: HTTPHeaders
    private let state: Locked<SettingsSnapshot>
    /// The calls, which belong to the endpoints that this one derives from too.
    let calls: CallScope
    let budgets: Locked<RetryBudgets>
    let gate: RequestQueue
    let coalescer = Coalescer()
    /// The origins that received a credential without encryption, each logged once.
    let warnedOrigins: Locked<Set<Origin>>
    /// The registry of the observers of this endpoint's calls.
    public let observation: ObservationManager

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - baseURL: The http or https URL that request paths are appended to. Its query is kept. If the URL can't be a
    ///     base, each request fails with ``InvalidRequest``.
    ///   - transport: The transport that sends the requests. Several endpoints can share it. Defaults to nil, which
    ///     means a new ``URLSessionTransport``.
    ///   - decoder: The decoder for requests that don't specify one. Defaults to nil, which means a new
    ///     `JSONDecoder`.
    ///   - responseQueue: The queue for callbacks of operations that don't specify one. Defaults to nil.
    ///   - sessionConfiguration: The configuration of the session. Its `httpAdditionalHeaders` have lower precedence
    ///     than `headers`, and its timeouts are the initial ``timeouts``. Its cookie, cache, and credential stores
    ///     aren't used. See ``URLSessionTransport``. With another transport, only these header fields, the timeouts,
    ///     and a changed `httpMaximumConnectionsPerHost` are used. Defaults to `.default`.
    ///   - retryingCount: The maximum number of retries of a call that is safe to repeat. Defaults to the value of
    ///     ``RetryPolicy/standard``.
    ///   - headers: The header fields of every request that doesn't set them itself. Defaults to none.
    public convenience init(
        baseURL: URL,
        transport: (any Transport)? = nil,
        decoder: JSONDecoder? = nil,
        responseQueue: DispatchQueue? = nil,
        sessionConfiguration: URLSessionConfiguration = .default,
        retryingCount: Int = RetryPolicy.standard.maximumRetries,
        headers: HTTPHeaders = [:]
    ) {
        self.init(
            baseURL: baseURL,
            transport: transport ?? URLSessionTransport(configuration: sessionConfiguration),
            decoder: decoder,
            responseQueue: responseQueue,
            sessionConfiguration: sessionConfiguration,
            retryingCount: retryingCount,
            headers: headers,
            clock: .shared
        )
    }

    @inline(never)
    package init(
        baseURL: URL,
        transport: any Transport,
        decoder: JSONDecoder?,
        responseQueue: DispatchQueue?,
        sessionConfiguration: URLSessionConfiguration,
        retryingCount: Int,
        headers: HTTPHeaders,
        clock: DeadlineClock
    ) {
        (self.baseURL, self.sessionConfiguration) = (baseURL, sessionConfiguration)
        self.transport = transport
        connection = ConnectionIdentity(of: transport)
        self.clock = clock
        // The transport's own limit, unless the configuration has one.
        let limit = sessionConfiguration.httpMaximumConnectionsPerHost
        let pool = limit == Self.defaultConnectionsPerHost ? transport.pool : nil
        gate = RequestQueue(clock: clock, perHost: pool?.maximumConnectionsPerHost ?? limit)
        calls = CallScope(within: nil)
        warnedOrigins = Locked([])
        budgets = Locked(RetryBudgets())
        observation = ObservationManager()
        additionalHeaders = HTTPHeaders(additional: sessionConfiguration.httpAdditionalHeaders)
        let all = additionalHeaders.merging(headers)
        var policy = RetryPolicy.standard
        policy.maximumRetries = max(0, retryingCount)
        let settings = EndpointSettings(
            encoding: EncodingDefaults(baseURL: baseURL, headers: all),
            headers: headers,
            decoder: decoder ?? JSONDecoder(),
            responseQueue: responseQueue,
            retryPolicy: policy,
            timeouts: Timeouts(sessionConfiguration)
        )
        state = Locked(SettingsSnapshot(settings))
    }

    /// Creates an endpoint with its own settings over another one's transport, connections, and limits.
    init(
        over other: Endpoint,
        at baseURL: URL? = nil,
        additionalHeaders: HTTPHeaders? = nil,
        observation: ObservationManager? = nil,
        _ settings: SettingsSnapshot
    ) {
        self.baseURL = baseURL ?? other.baseURL
        self.additionalHeaders = additionalHeaders ?? other.additionalHeaders
        self.observation = observation ?? other.observation
        sessionConfiguration = other.sessionConfiguration
        transport = other.transport
        connection = other.connection
        clock = other.clock
        calls = CallScope(within: other.calls)
        warnedOrigins = other.warnedOrigins
        budgets = other.budgets
        gate = other.gate
        state = Locked(settings)
    }

    private static let defaultConnectionsPerHost =
        URLSessionConfiguration.default.httpMaximumConnectionsPerHost

    deinit { calls.release() }

    /// Makes this the default endpoint for requests that don't specify one.
    public func useAsDefault() { Self.default = self }

    /// Cancels every call in flight or queued, including those of derived endpoints.
    ///
    /// Each call fails with `.cancelled`, once. Later calls aren't affected.
    public func cancelAllRequests() { calls.stopAll() }

    /// The number of the last time when all calls of the endpoint were canceled; each later time has a greater one.
    package var lastStop: Int { calls.lastStop }

    /// The number of calls in flight or queued.
    var callsUnderWay: Int { calls.withLock { $0.count } }

    /// A snapshot of the current settings.
    package var settings: SettingsSnapshot { state.withLock { $0 } }

    /// Changes the settings in one atomic step.
    ///
    /// Earlier snapshots keep their values.
    func change(_ change: (inout EndpointSettings) -> Void) {
        // What the endpoint no longer has is released outside of the lock: its deinitializer may use the endpoint.
        let released = state.withLock { snapshot in
            var settings = snapshot.values
            change(&settings)
            defer { snapshot = SettingsSnapshot(settings) }
            return snapshot
        }
        withExtendedLifetime(released) {}
    }

    /// Registers a call for ``cancelAllRequests()``, or stops it if this endpoint is shut down.
    ///
    /// - Parameters:
    ///   - control: The control of the call.
    ///   - work: The control of the stoppable work that the call is a part of. A stop of the work, even an earlier one,
    ///     stops the call. Defaults to nil for none.
    package func register(_ control: CallControl, of work: CallControl? = nil) {
        calls.register(control)
        work?.enter(control)
    }

    /// Removes a call that has ended.
    package func forget(_ control: CallControl, of work: CallControl? = nil) {
        work?.leave(control)
        calls.forget(control)
    }
}

extension Endpoint {
    /// Creates an endpoint from the text of its base URL.
    ///
    /// ```swift
    /// let endpoint = try Endpoint("https://api.example.com/v2")
    /// ```
    ///
    /// - Parameters:
    ///   - baseURL: The http or https URL that request paths are appended to. It needs a host, and a port from 1 to
    ///     65535 if it has one. Its query is kept, and its fragment is removed.
    ///   - transport: The transport that sends the requests. Defaults to nil, which means a new
    ///     ``URLSessionTransport``.
    ///   - decoder: The decoder for requests that don't specify one. Defaults to nil, which means a new
    ///     `JSONDecoder`.
    ///   - responseQueue: The queue for callbacks of operations that don't specify one. Defaults to nil.
    ///   - sessionConfiguration: The configuration of the session, as in
    ///     ``init(baseURL:transport:decoder:responseQueue:sessionConfiguration:retryingCount:headers:)``.
    ///   - retryingCount: The maximum number of retries of a call that is safe to repeat. Defaults to the value of
    ///     ``RetryPolicy/standard``.
    ///   - headers: The header fields of every request that doesn't set them itself. Defaults to none.
    /// - Throws: ``InvalidRequest`` with the reason ``InvalidRequest/Reason/invalidURL(_:)``. Its text says what is
    ///   wrong with the URL, without secrets.
    public convenience init(
        _ baseURL: String,
        transport: (any Transport)? = nil,
        decoder: JSONDecoder? = nil,
        responseQueue: DispatchQueue? = nil,
        sessionConfiguration: URLSessionConfiguration = .default,
        retryingCount: Int = RetryPolicy.standard.maximumRetries,
        headers: HTTPHeaders = [:]
    ) throws(InvalidRequest) {
        self.init(
            baseURL: try BaseURL.url(baseURL),
            transport: transport,
            decoder: decoder,
            responseQueue: responseQueue,
            sessionConfiguration: sessionConfiguration,
            retryingCount: retryingCount,
            headers: headers
        )
    }
}

extension Endpoint {
    /// Refuses new calls, waits for those in flight, and cancels the rest at a deadline.
    ///
    /// Each new call fails at once with ``InvalidRequest/Reason/endpointShutDown`` as ``ErrorResponse/invalidRequest(_:)``,
    /// with callbacks and with `async`. Calls in flight continue:
    ///
    /// - They may send requests that belong to them, such as retries and the refresh of a token.
    /// - A stream is in flight until its last byte, and a batch until its last result.
    /// - Polling, paging and an event source end with the error at their next request.
    ///
    /// When the deadline passes, the endpoint cancels the remaining calls as ``cancelAllRequests()`` does, and waits until
    /// they have ended. Handlers of their outcomes may run a little later.
    ///
    /// Canceling the waiting task ends the deadline at once. A second shutdown waits for the same calls, and the earlier
    /// deadline counts. The endpoint can't be restarted. The shutdown includes all endpoints ``derived(_:)`` from this one,
    /// while the shutdown of a derived endpoint affects only its calls.
    ///
    /// - Parameter deadline: The time for the calls in flight, on the endpoint's clock. Defaults to 30 seconds. Zero or a
    ///   negative value cancels them at once.
    public func shutdown(deadline: Duration = .seconds(30)) async {
        let control = CallControl(clock: clock)
        if let wait = calls.withLock({ $0.drain() }) {
            await withTaskCancellationHandler {
                await wait.run(control, atMost: deadline, clock: clock)
            } onCancel: {
                control.stop(.cancelled)
            }
        }
        // First, because the endpoint would refuse the next request of a call that isn't canceled yet.
        cancelAllRequests()
        let wait = calls.withLock { $0.close() }
        cancelAllRequests()
        if let wait { await wait.run(CallControl(clock: clock)) }
    }
}

// Settings that an endpoint adopts from a session configuration.

extension HTTPHeaders {
    /// Creates header fields from a session's additional ones, sorted by name.
    ///
    /// Values other than strings become their descriptions.
    init(additional headers: [AnyHashable: Any]?) {
        let fields = (headers ?? [:]).map { name, value in ("\(name.base)", "\(value)") }
        self.init(fields.ordered { $0.0 < $1.0 }.map { (HTTPHeaderName($0.0), $0.1) })
    }
}

extension Timeouts {
    /// Creates timeouts from a session configuration.
    ///
    /// The resource timeout counts only if it isn't the default of seven days.
    init(_ configuration: URLSessionConfiguration) {
        let total = configuration.timeoutIntervalForResource
        self.init(
            idle: Duration(timeout: configuration.timeoutIntervalForRequest),
            total: total == 604_800 ? nil : Duration(timeout: total)
        )
    }
}
