public import Dispatch
public import Foundation

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
    /// ``headers``.
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
    public var maximumConcurrentRequestsPerHost: Int {
        get { gate.limits(of: .call).perHost }
        set { gate.changeLimits(of: .call) { $0.perHost = max(1, newValue) } }
    }

    /// The maximum number of open streams to one host.
    ///
    /// Defaults to 32. Further streams are queued. A stream stays open until its last byte arrives or until it is
    /// released, which may take hours. Open streams don't delay other requests. See ``stream(_:)`` and
    /// ``events(for:reconnectingAfter:maximumEventSize:)``.
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
    public var description: String { "Endpoint(\(RedactedURL(baseURL)))" }
}
