public import Dispatch
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Where requests go, and what they have in common: base URL, headers, decoder, policies.
///
/// Everything but the base URL and the transport can be changed at any time from any thread; a
/// request reads it when it is sent. An endpoint that is let go of while calls are under way lives
/// on until they have ended.
public final class Endpoint: Sendable {
    /// Where requests go that name no endpoint of their own.
    ///
    /// Nil at first.
    public static var `default`: Endpoint? {
        get { defaultEndpoint.withLock { $0 } }
        set { defaultEndpoint.withLock { $0 = newValue } }
    }

    private static let defaultEndpoint = Locked<Endpoint?>(nil)

    /// Sends requests that say their whole address; nothing is at its base URL (RFC 6761, section 6.4).
    static let ofAddressedRequests = URL(string: "http://base.invalid")
        .map { Endpoint(baseURL: $0) }

    /// Decodes where neither the operation nor the request nor the endpoint names a decoder.
    static let defaultDecoder = JSONDecoder()

    /// What paths are joined to.
    public let baseURL: URL
    /// What the endpoint was made with.
    ///
    /// Changing it changes nothing: the session has its own copy.
    public let sessionConfiguration: URLSessionConfiguration
    let transport: any Transport
    let clock: DeadlineClock
    let additionalHeaders: HTTPHeaders
    private let state: Locked<SettingsSnapshot>
    private let calls: Locked<[ObjectIdentifier: CallControl]>
    /// The endpoint that this one is derived from, which can cancel its calls too.
    private let parent: Endpoint?
    let budgets: Locked<RetryBudgets>
    let gate: RequestQueue
    let coalescer = Coalescer()
    /// The origins that got a credential without encryption, which the log says once.
    let warnedOrigins: Locked<Set<Origin>>
    /// Who is told of this endpoint's calls.
    public let observation: ObservationManager
    /// Who decides what is sent in place of requests that failed.
    public let requestRetrying: RequestRetryingManager

    /// Makes an endpoint over a `URLSession` of its own.
    ///
    /// - Parameters:
    ///   - baseURL: What paths are joined to; http or https. Its query is kept. A URL that cannot be
    ///     a base is reported by each request, as ``InvalidRequest``.
    ///   - decoder: Decodes responses that name no decoder. Defaults to a plain `JSONDecoder`.
    ///   - responseQueue: Runs the callbacks of operations that name no queue.
    ///   - sessionConfiguration: What the session starts from. `httpAdditionalHeaders` are sent
    ///     below the endpoint's headers, and its timeouts are the first ``timeouts``. Cookies, cache
    ///     and credential stores are not used; see ``URLSessionTransport``.
    ///   - retryingCount: How often a call that is safe to repeat is retried. Defaults to that of
    ///     ``RetryPolicy/standard``.
    ///   - headers: Sent with every request that does not say otherwise.
    public convenience init(
        baseURL: URL,
        decoder: JSONDecoder? = nil,
        responseQueue: DispatchQueue? = nil,
        sessionConfiguration: URLSessionConfiguration = .default,
        retryingCount: Int = RetryPolicy.standard.maximumRetries,
        headers: HTTPHeaders = [:]
    ) {
        self.init(
            baseURL: baseURL,
            transport: URLSessionTransport(configuration: sessionConfiguration),
            decoder: decoder,
            responseQueue: responseQueue,
            sessionConfiguration: sessionConfiguration,
            retryingCount: retryingCount,
            headers: headers
        )
    }

    /// Makes an endpoint over any transport.
    ///
    /// - Parameters:
    ///   - baseURL: What paths are joined to; http or https.
    ///   - transport: Sends the requests. May be shared by several endpoints.
    ///   - decoder: Decodes responses that name no decoder. Defaults to a plain `JSONDecoder`.
    ///   - responseQueue: Runs the callbacks of operations that name no queue.
    ///   - sessionConfiguration: Only its additional headers and timeouts are used.
    ///   - retryingCount: How often a call that is safe to repeat is retried. Defaults to that of
    ///     ``RetryPolicy/standard``.
    ///   - headers: Sent with every request that does not say otherwise.
    public convenience init(
        baseURL: URL,
        transport: any Transport,
        decoder: JSONDecoder? = nil,
        responseQueue: DispatchQueue? = nil,
        sessionConfiguration: URLSessionConfiguration = .default,
        retryingCount: Int = RetryPolicy.standard.maximumRetries,
        headers: HTTPHeaders = [:]
    ) {
        self.init(
            baseURL: baseURL,
            transport: transport,
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
        self.baseURL = baseURL
        self.sessionConfiguration = sessionConfiguration
        self.transport = transport
        self.clock = clock
        gate = RequestQueue(
            clock: clock,
            perHost: sessionConfiguration.httpMaximumConnectionsPerHost
        )
        calls = Locked([:])
        parent = nil
        warnedOrigins = Locked([])
        budgets = Locked(RetryBudgets())
        observation = ObservationManager()
        requestRetrying = RequestRetryingManager()
        additionalHeaders = HTTPHeaders(additional: sessionConfiguration.httpAdditionalHeaders)
        let all = additionalHeaders.merging(headers)
        var policy = RetryPolicy.standard
        policy.maximumRetries = max(0, retryingCount)
        let settings = EndpointSettings(
            encoding: EncodingDefaults(baseURL: baseURL, headers: all),
            headers: headers,
            decoder: decoder,
            responseQueue: responseQueue,
            retryPolicy: policy,
            timeouts: Timeouts(sessionConfiguration)
        )
        state = Locked(SettingsSnapshot(settings))
    }

    /// Makes an endpoint over another one's transport, connections and limits, with settings of its own.
    init(
        over other: Endpoint,
        at baseURL: URL,
        additionalHeaders: HTTPHeaders,
        _ observation: ObservationManager,
        _ requestRetrying: RequestRetryingManager,
        _ settings: SettingsSnapshot
    ) {
        self.baseURL = baseURL
        self.additionalHeaders = additionalHeaders
        self.observation = observation
        self.requestRetrying = requestRetrying
        sessionConfiguration = other.sessionConfiguration
        transport = other.transport
        clock = other.clock
        calls = Locked([:])
        parent = other
        warnedOrigins = other.warnedOrigins
        budgets = other.budgets
        gate = other.gate
        state = Locked(settings)
    }

    /// Makes this the endpoint of all requests that name none.
    public func useAsDefault() {
        Self.default = self
    }

    /// Cancels every call that is under way or waiting, also those of endpoints derived from this one; later ones are not
    /// affected.
    ///
    /// Each fails with `.cancelled`, once.
    public func cancelAllRequests() {
        for control in calls.withLock({ Array($0.values) }) { control.stop(.cancelled) }
    }

    /// How many calls are waiting or under way.
    var callsUnderWay: Int { calls.withLock { $0.count } }

    /// Everything that can change, as it is now.
    var settings: SettingsSnapshot { state.withLock { $0 } }

    /// Changes the settings in one atomic step; those who have read them keep what they read.
    func change<Result>(_ change: (inout EndpointSettings) -> Result) -> Result {
        state.withLock { snapshot in
            var settings = snapshot.values
            let result = change(&settings)
            snapshot = SettingsSnapshot(settings)
            return result
        }
    }

    /// Runs a call under `control`, among those that ``cancelAllRequests()`` ends.
    func perform<R: Request>(
        _ request: R,
        control: CallControl,
        observer: (any CallObserver)? = nil
    ) async -> Call<R>.Outcome {
        register(control)
        defer { forget(control) }
        return await Call(request: request, endpoint: self, control: control, observer: observer)
            .run()
    }

    /// Puts a call among those that ``cancelAllRequests()`` ends.
    func register(_ control: CallControl) {
        calls.withLock { $0[ObjectIdentifier(control)] = control }
        parent?.register(control)
    }

    /// Takes a call out again.
    func forget(_ control: CallControl) {
        calls.withLock { $0[ObjectIdentifier(control)] = nil }
        parent?.forget(control)
    }
}
