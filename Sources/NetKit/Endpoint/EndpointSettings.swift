public import Dispatch
public import Foundation
import NetKitSupport

/// The mutable settings of an endpoint as one value.
package struct EndpointSettings: Sendable {
    package var encoding: EncodingDefaults
    var headers: HTTPHeaders
    var decoder: JSONDecoder?
    var responseQueue: DispatchQueue?
    var retryPolicy: RetryPolicy
    package var timeouts: Timeouts
    package var redirectPolicy = RedirectPolicy.follow
    package var maximumResponseSize = 64 << 20
    var authentication: (any Authentication)? {
        didSet {
            identified = authentication as? any IdentifiedAuthentication
            assignment = ProcessUniqueID()
        }
    }
    private(set) var identified: (any IdentifiedAuthentication)?
    /// Distinguishes authentications that don't identify their credential.
    private(set) var assignment = ProcessUniqueID()
    /// The identity of the current credential, or nil without authentication.
    package var identity: CredentialIdentity? {
        authentication == nil ? nil : identified?.identity ?? .id(assignment)
    }
    /// Whether the identity is another one once a guest signs in.
    package var identityKnowsGuests: Bool { authentication is BearerAuthentication }
    /// The features from other modules, at most one of each type.
    var sources: [any LayerSource] = []
    /// The session that one of the sources adds to requests.
    package var session: (any SessionSource)? { sources.lazy.compactMap(\.session).first }
    var interceptors: [any Interceptor] = []
    /// The logger, or nil for a silent one.
    package var logger: (any NetworkLogger)?
}

/// An immutable snapshot of the settings, shared by all readers until the next change.
package final class SettingsSnapshot: Sendable {
    package let values: EndpointSettings
    /// The origin of the base URL, or nil if it has none.
    let home: Origin?
    /// The requests that receive the endpoint's credential, or nil without authentication.
    package let credentials: CredentialScope?

    init(_ values: EndpointSettings) {
        self.values = values
        home = if case .success(let base) = values.encoding.base { base.origin } else { nil }
        credentials = values.authentication == nil ? nil : home.map { CredentialScope(home: $0) }
    }
}

extension Endpoint {
    /// The header fields of every request that doesn't set them itself.
    ///
    /// Without a `User-Agent` here or in the request, it is `NetKit/` and the version. An empty one sends none.
    ///
    /// `endpoint.headers[…] = …` is a read followed by a write. It is safe from several threads, but one change may
    /// overwrite another. To change the fields atomically, use ``updateHeaders(_:)``.
    public var headers: HTTPHeaders {
        get { settings.values.headers }
        set { updateHeaders { $0 = newValue } }
    }

    /// Changes the header fields in one atomic step.
    ///
    /// - Parameter update: A closure that changes the fields. It runs under a lock, so keep it short and don't use the
    ///   endpoint in it.
    public func updateHeaders(_ update: (inout HTTPHeaders) -> Void) {
        change { settings in
            update(&settings.headers)
            settings.encoding.headers = additionalHeaders.merging(settings.headers)
        }
    }

    /// The query items of every request, after those of the base URL.
    ///
    /// Defaults to none. The items aren't sent to an absolute URL at another origin. A request that sets an item of the
    /// same name replaces it: in its path, ``Request/queryParams``, ``Request/queryItems``, or a ``Query`` property.
    public var queryParams: [(String, String)] {
        get { settings.values.encoding.queryParams }
        set { change { $0.encoding.queryParams = newValue } }
    }

    /// Whether path values are escaped strictly: only letters, digits, `-`, `.`, `_` and `~` are sent as they are.
    ///
    /// Defaults to false: `! $ & ' ( ) * + , ; = : @` stay too, which RFC 3986, section 3.3, allows in a segment. Set it
    /// for a server that splits segments at one of them, or takes `+` for a space. It applies to the values of each
    /// ``Path``, and to the `path` values of `get`, `post`, `put`, `patch` and `delete`. The text of ``Request/path``
    /// itself is sent as written.
    public var escapesPathValuesStrictly: Bool {
        get { settings.values.encoding.escapesPathValuesStrictly }
        set { change { $0.encoding.escapesPathValuesStrictly = newValue } }
    }

    /// The redaction of the endpoint's requests and responses in logs and descriptions.
    ///
    /// Defaults to ``Redaction/secrets``, which shows no bodies. A request can add to it with ``Request/redaction``.
    /// ``Redaction/none`` redacts nothing, whatever requests specify. Header fields that the redaction names count as
    /// sensitive.
    public var redaction: Redaction {
        get { settings.values.encoding.redaction }
        set { change { $0.encoding.redaction = newValue } }
    }

    /// The decoder for responses if neither the operation nor the request specifies one.
    ///
    /// Defaults to a new `JSONDecoder`, which ``derived(_:)`` endpoints share until it is replaced on either one:
    ///
    /// ```swift
    /// endpoint.decoder?.dateDecodingStrategy = .iso8601
    /// ```
    ///
    /// Change its strategies before the first call. Nil means a plain `JSONDecoder`.
    public var decoder: JSONDecoder? {
        get { settings.values.decoder }
        set { change { $0.decoder = newValue } }
    }

    /// The queue for callbacks of operations that don't specify one.
    ///
    /// Defaults to nil. For the behavior of nil, see ``RequestExecutionOperation``.
    public var responseQueue: DispatchQueue? {
        get { settings.values.responseQueue }
        set { change { $0.responseQueue = newValue } }
    }

    /// The maximum number of retries of a call that is safe to repeat.
    ///
    /// The same value as ``RetryPolicy/maximumRetries`` of ``retryPolicy``.
    public var retryingCount: Int {
        get { settings.values.retryPolicy.maximumRetries }
        set { change { $0.retryPolicy.maximumRetries = max(0, newValue) } }
    }

    /// The failures to retry, how often, and after what delay.
    ///
    /// Defaults to ``RetryPolicy/standard``. A request's own ``Request/retryPolicy`` takes precedence.
    public var retryPolicy: RetryPolicy {
        get { settings.values.retryPolicy }
        set { change { $0.retryPolicy = newValue } }
    }

    /// The time limits for calls.
    ///
    /// The timeouts of a request or an operation take precedence.
    public var timeouts: Timeouts {
        get { settings.values.timeouts }
        set { change { $0.timeouts = newValue } }
    }

    /// The policy for redirects.
    ///
    /// Defaults to following up to 20 redirects.
    public var redirectPolicy: RedirectPolicy {
        get { settings.values.redirectPolicy }
        set { change { $0.redirectPolicy = newValue } }
    }

    /// The credentials for requests to the endpoint's own origin.
    ///
    /// Defaults to nil. A request with an `Authorization` field keeps it, whether the field is its own or one of
    /// ``headers``. If the server rejects the field of ``headers`` with a 401, the log has a warning.
    public var authentication: (any Authentication)? {
        get { settings.values.authentication }
        set { change { $0.authentication = newValue } }
    }

    /// The logger for the endpoint's calls.
    ///
    /// Defaults to ``SilentLogger``. Secrets are redacted as ``redaction`` specifies.
    public var logger: any NetworkLogger {
        get { settings.values.logger ?? SilentLogger() }
        set { change { $0.logger = newValue is SilentLogger ? nil : newValue } }
    }

    /// The interceptors of every call, with the first one outermost.
    ///
    /// Defaults to none. A request's own ``Request/interceptors`` run inside of these.
    public var interceptors: [any Interceptor] {
        get { settings.values.interceptors }
        set { change { $0.interceptors = newValue } }
    }

    /// The maximum number of requests in flight.
    ///
    /// Defaults to 64. Further requests are queued by their ``Request/priority``. Streams and the requests of a
    /// credential refresh don't count. Time in the queue counts toward the total deadline but not toward the idle
    /// timeout.
    public var maximumConcurrentRequests: Int {
        get { gate.limits(of: .call).total }
        set { gate.changeLimits(of: .call) { $0.total = max(1, newValue) } }
    }

    /// The maximum number of requests in flight to one host.
    ///
    /// Defaults to the session configuration's `httpMaximumConnectionsPerHost` if you change it, and to the transport's
    /// connections per host otherwise: 6 for URLSession, 8 for libcurl and AsyncHTTPClient.
    /// Streams and the requests of a credential refresh don't count.
    ///
    /// URLSession never opens more connections than its configuration allows, whatever this value is. Over HTTP/2, up
    /// to 100 requests share those connections, so raise the limit for hosts that speak HTTP/2.
    ///
    /// After a response whose `Retry-After` the retry policy would wait for, all calls to that host wait until then, even
    /// if the call itself isn't retried. Then one call starts, and twice as many every 20 milliseconds, up to the limit.
    public var maximumConcurrentRequestsPerHost: Int {
        get { gate.limits(of: .call).perHost }
        set { gate.changeLimits(of: .call) { $0.perHost = max(1, newValue) } }
    }

    /// The maximum number of open streams to one host.
    ///
    /// Defaults to 32. Further streams are queued. A stream stays open until its last byte arrives or until it is
    /// released, which may take hours. Open streams don't delay other requests. See ``stream(_:)`` and
    /// ``events(for:reconnectingAfter:maximumEventSize:onLostConnection:)``.
    public var maximumConcurrentStreamsPerHost: Int {
        get { gate.limits(of: .stream).perHost }
        set { gate.changeLimits(of: .stream) { $0.perHost = max(1, newValue) } }
    }

    /// The maximum size of a response body in memory, after decompression, in bytes.
    ///
    /// Defaults to 64 MiB. A larger body ends the transfer at once with ``TransportError/Kind/responseTooLarge``.
    /// Successful downloads and streams have no limit. Negative values count as 0.
    public var maximumResponseSize: Int {
        get { settings.values.maximumResponseSize }
        set { change { $0.maximumResponseSize = max(0, newValue) } }
    }
}

extension Endpoint: Concealed {
    /// The redacted base URL, without user, query values, and fragment.
    package var shown: String { "Endpoint(\(RedactedURL(baseURL)))" }
}

// Endpoints that share the transport and the limits of another endpoint.

extension Endpoint {
    /// Creates an endpoint with its own settings that shares this endpoint's transport.
    ///
    /// Use it to give each user of a server their own credentials and cookies:
    ///
    /// ```swift
    /// let forAlice = endpoint.derived { $0.authentication = BearerAuthentication(token: alice.token) { … } }
    /// ```
    ///
    /// - Both endpoints share connections, limits on requests in flight, the delays that hosts ask for, retry budgets,
    ///   and the clock.
    /// - The derived endpoint starts with copies of the settings, ``authentication``, interceptors, and
    ///   observers. Later changes to one endpoint don't affect the other. Both use the same ``Authentication`` object
    ///   and the same ``decoder`` until you replace them on either one.
    /// - Cookies aren't shared. If this endpoint has a jar, the derived one starts with an empty `CookieJar` in
    ///   memory, so that users never share a session. To share cookies, set its `cookies` to this endpoint's.
    /// - ``cancelAllRequests()`` on this endpoint cancels the calls of both. On the derived endpoint, it cancels only
    ///   its own calls.
    ///
    /// It is cheap enough that a server can derive an endpoint for each request it answers.
    ///
    /// - Parameter change: A closure that changes the new endpoint before the method returns it.
    /// - Returns: The new endpoint. It doesn't keep this one alive, so `endpoint = endpoint.derived { … }` can be
    ///   repeated any number of times.
    public func derived(_ change: (Endpoint) -> Void) -> Endpoint {
        let derived = Endpoint(over: self, observation: observation.copy(), settings.forAnotherUser)
        change(derived)
        return derived
    }

    /// Creates an endpoint like another one, with changed settings.
    ///
    /// Both share the transport, connections, limits, and observers.
    ///
    /// - Parameters:
    ///   - other: The other endpoint, whose ``cancelAllRequests()`` cancels the calls of both.
    ///   - change: Changes the settings. Later changes to either endpoint don't affect the other.
    package convenience init(like other: Endpoint, _ change: (inout EndpointSettings) -> Void) {
        var settings = other.settings.values
        change(&settings)
        self.init(over: other, SettingsSnapshot(settings))
    }

    /// Creates an endpoint that requests one URL without the other endpoint's secrets.
    ///
    /// It has the other endpoint's transport, policies, and observers. It has none of its header fields, query, user
    /// name, authentication, cookies, and interceptors.
    ///
    /// - Parameters:
    ///   - other: The other endpoint.
    ///   - address: The URL, without a user name.
    package convenience init(_ other: Endpoint, withoutCredentialsAt address: URL) {
        var settings = other.settings.values
        settings.encoding = EncodingDefaults(baseURL: address, headers: [:])
        settings.encoding.redaction = other.settings.values.encoding.redaction
        settings.headers = [:]
        settings.authentication = nil
        settings.sources.removeAll { $0.isCredential }
        settings.interceptors = []
        self.init(over: other, at: address, additionalHeaders: [:], SettingsSnapshot(settings))
    }
}

extension SettingsSnapshot {
    /// The same settings, without what belongs to one user.
    fileprivate var forAnotherUser: SettingsSnapshot {
        guard values.sources.contains(where: \.isCredential) else { return self }
        var values = values
        values.sources = values.sources.map { $0.forAnotherUser }
        return SettingsSnapshot(values)
    }
}
