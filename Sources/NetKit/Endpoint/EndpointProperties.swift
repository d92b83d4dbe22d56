public import Dispatch
public import Foundation

extension Endpoint {
    /// What every request is sent with unless it says otherwise.
    ///
    /// `endpoint.headers[…] = …` is a read and a write: several threads may do so at once, but one
    /// may undo another's change. ``updateHeaders(_:)`` is one step.
    public var headers: HTTPHeaders {
        get { settings.values.headers }
        set { updateHeaders { $0 = newValue } }
    }

    /// Changes the headers in one atomic step.
    ///
    /// - Parameter update: Changes them. It runs under a lock: let it be short, and not use the
    ///   endpoint.
    public func updateHeaders(_ update: (inout HTTPHeaders) -> Void) {
        change { settings in
            update(&settings.headers)
            settings.encoding.headers = additionalHeaders.merging(settings.headers)
        }
    }

    /// What the query of every request has, behind the base URL's own.
    ///
    /// Empty by default. It does not go to an absolute address on another origin. A request that has one
    /// of the names itself, in its path, ``Request/queryParams``,
    /// ``Request/queryItems`` or by ``Query``, gets its own instead.
    public var queryParams: [(String, String)] {
        get { settings.values.encoding.queryParams }
        set { change { $0.encoding.queryParams = newValue } }
    }

    /// What is not shown of the endpoint's requests and their responses, by anything that writes them down.
    ///
    /// ``Redaction/secrets`` by default. A request may add to it (``Request/redaction``), but for ``Redaction/none``,
    /// which shows everything. Header fields that it names count as marked sensitive.
    public var redaction: Redaction {
        get { settings.values.encoding.redaction }
        set { change { $0.encoding.redaction = newValue } }
    }

    /// Decodes responses whose operation and request name no decoder.
    ///
    /// Nil is a plain `JSONDecoder`.
    public var decoder: JSONDecoder? {
        get { settings.values.decoder }
        set { change { $0.decoder = newValue } }
    }

    /// Runs the callbacks of operations that name no queue; nil is the default said there.
    public var responseQueue: DispatchQueue? {
        get { settings.values.responseQueue }
        set { change { $0.responseQueue = newValue } }
    }

    /// How often a call that is safe to repeat is tried again: ``RetryPolicy/maximumRetries`` of
    /// ``retryPolicy``.
    public var retryingCount: Int {
        get { settings.values.retryPolicy.maximumRetries }
        set { change { $0.retryPolicy.maximumRetries = max(0, newValue) } }
    }

    /// Which failures are retried, how often and after what delay.
    ///
    /// ``RetryPolicy/standard`` by default. A request's own ``Request/retryPolicy`` takes precedence.
    public var retryPolicy: RetryPolicy {
        get { settings.values.retryPolicy }
        set { change { $0.retryPolicy = newValue } }
    }

    /// How long calls may take.
    ///
    /// A request's and an operation's own timeout come first.
    public var timeouts: Timeouts {
        get { settings.values.timeouts }
        set { change { $0.timeouts = newValue } }
    }

    /// What happens to redirects.
    ///
    /// Up to 20 are followed by default.
    public var redirectPolicy: RedirectPolicy {
        get { settings.values.redirectPolicy }
        set { change { $0.redirectPolicy = newValue } }
    }

    /// How requests to the endpoint's own origin prove who sends them; nil, as it is at first, for by
    /// their header fields alone.
    ///
    /// A request that has an `Authorization` field, its own or one of ``headers``, is left alone.
    public var authentication: (any Authentication)? {
        get { settings.values.authentication }
        set { change { $0.authentication = newValue } }
    }

    /// The cookies that requests are sent with, and that responses set.
    ///
    /// Nil by default: no cookies are kept or sent. With a jar every response stores its cookies, also one of another
    /// status than 2xx, of a redirect, or of an attempt that is retried, as soon as its head arrives. Each request gets those
    /// for its own URL, also after a redirect to another host, and whatever ``Request/isAuthenticated`` says. A request
    /// that has a `Cookie` field keeps it: the jar adds the cookies whose names are not in it.
    ///
    /// A jar is one user's session. On a server, give each user a ``derived(_:)`` endpoint: it begins with an empty jar.
    public var cookies: CookieJar? {
        get { settings.values.cookies }
        set { change { $0.cookies = newValue } }
    }

    /// The stored responses that requests are answered with, by the rules of RFC 9111.
    ///
    /// Nil by default: nothing is cached. Requests that name credentials of their own, ``authentication`` and ``cookies``
    /// each get the responses to their own user only, so that ``derived(_:)`` endpoints can share a cache. A request says
    /// how it uses the cache by ``Request/cachePolicy``.
    ///
    /// The calls of ``stream(_:)`` and downloads use it as others do. Streams of events are not stored.
    public var cache: HTTPCache? {
        get { settings.values.cache }
        set { change { $0.cache = newValue } }
    }

    /// Takes what there is to say about the calls, line by line; ``SilentLogger``, which says nothing, by default.
    ///
    /// Secrets are left out as ``redaction`` says.
    public var logger: any NetworkLogger {
        get { settings.values.logger ?? SilentLogger() }
        set { change { $0.logger = newValue is SilentLogger ? nil : newValue } }
    }

    /// What goes around every attempt of every call, the first one outermost.
    ///
    /// None by default. Those of a request (``Request/interceptors``) come within them.
    public var interceptors: [any Interceptor] {
        get { settings.values.interceptors }
        set { change { $0.interceptors = newValue } }
    }

    /// The maximum number of requests of this endpoint in flight; the others are queued by their
    /// ``Request/priority``.
    ///
    /// 64 by default. Streams and the requests of a credential refresh don't count. Waiting counts to the total
    /// deadline, not to the idle timeout.
    public var maximumConcurrentRequests: Int {
        get { gate.limits(of: .call).total }
        set { gate.changeLimits(of: .call) { $0.total = max(1, newValue) } }
    }

    /// The maximum number of requests of this endpoint in flight to one host.
    ///
    /// The session configuration's `httpMaximumConnectionsPerHost` by default, which is 6. Streams and the
    /// requests of a credential refresh don't count. URLSession never uses more connections than that, however
    /// large this is; over https, up to 100 requests share them, so raise the limit for hosts that speak HTTP/2.
    public var maximumConcurrentRequestsPerHost: Int {
        get { gate.limits(of: .call).perHost }
        set { gate.changeLimits(of: .call) { $0.perHost = max(1, newValue) } }
    }

    /// The maximum number of open streams of this endpoint to one host; the others are queued.
    ///
    /// 32 by default. A stream is open until its last byte or until it is released, which may be hours; it keeps
    /// no other request waiting. See ``stream(_:)`` and ``events(for:reconnectingAfter:maximumEventSize:)``.
    public var maximumConcurrentStreamsPerHost: Int {
        get { gate.limits(of: .stream).perHost }
        set { gate.changeLimits(of: .stream) { $0.perHost = max(1, newValue) } }
    }

    /// The most bytes a response's body may have, after decompression.
    ///
    /// 64 MiB by default.
    ///
    /// One byte more ends the transfer at once with ``TransportError/Kind/responseTooLarge``.
    public var maximumResponseSize: Int {
        get { settings.values.maximumResponseSize }
        set { change { $0.maximumResponseSize = max(0, newValue) } }
    }
}

extension Endpoint: Concealed {
    /// The base URL without user, query values and fragment; nothing of headers and settings.
    public var description: String { "Endpoint(\(RedactedURL(baseURL)))" }
}
