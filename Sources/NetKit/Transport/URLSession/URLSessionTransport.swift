import NetKitSupport

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// The default transport, which uses `URLSession` only in ways that are safe on Linux.
///
/// It uses no cookie store and no cache, follows no redirects, and answers no challenges. The endpoint does all of
/// that, because each of them can freeze or crash a process on Linux.
///
/// At most `httpMaximumConnectionsPerHost` requests are in flight to one http origin, and the others are queued in
/// order. For https, the limit is at least 100, because HTTP/2 carries many requests on one connection. Streams and the
/// requests of a credential refresh use a separate session without this limit.
///
/// On Linux, it supports no IPv6 literals, pinned keys, client certificates, or other proxies than the environment's, and
/// some responses crash the process: see <doc:LinuxLimits>. There libcurl itself resends a GET on a kept connection that
/// the server has closed. NetKit doesn't count that as a retry.
public final class URLSessionTransport: Transport {
    typealias Slots = SessionConnections<Slot, URLSessionExchange>
    private typealias SessionPlace = (session: URLSession, delegate: SessionDelegate)

    /// The key under which requests share connections.
    struct Slot: Hashable, Sendable {
        let origin: Origin
        let kind: ExchangeKind
    }

    /// A number of connections per host that is never reached.
    private static let unlimited = 10_000

    private let delegate = SessionDelegate()
    let session: URLSession
    /// The session for streams and refreshes, created on first use.
    private let sideSession = Locked<SessionPlace?>(nil)
    /// The queue that creates and resumes tasks.
    ///
    /// Senders therefore don't wait for URLSession's work queue.
    let tasks = DispatchQueue(label: "NetKit.tasks", qos: .userInitiated)
    private let slots = Locked(Slots())
    private let connectionsPerHost: Int

    /// Creates a transport with its own session.
    ///
    /// - Parameter configuration: The configuration to copy. The copy has no cookie, cache or credential
    ///   store. Its `httpAdditionalHeaders` and timeouts aren't used. To set those, pass a session configuration to the
    ///   endpoint. Defaults to `.default`.
    public init(configuration: URLSessionConfiguration = .default) {
        let safe = Self.safeConfiguration(configuration)
        connectionsPerHost = safe.httpMaximumConnectionsPerHost
        session = URLSession(configuration: safe, delegate: delegate, delegateQueue: InlineQueue())
    }

    deinit {
        // Every exchange retains the transport, so none is in flight here.
        session.finishTasksAndInvalidate()
        sideSession.withLock { $0 }?.session.finishTasksAndInvalidate()
    }

    public func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        guard let origin = request.origin else {
            let error = UnsupportedFeature(
                "a URL that is not http or https, or has no host or no valid port"
            )
            return refuse(error, receiver: receiver)
        }
        #if canImport(FoundationNetworking)
        guard !origin.host.utf8.contains(UInt8(ascii: ":")) else {
            let error = UnsupportedFeature(
                "an IPv6 literal over URLSession on Linux; use a host name or another transport"
            )
            return refuse(error, receiver: receiver)
        }
        #endif
        let exchange = URLSessionExchange(
            request: request,
            slot: Slot(origin: origin, kind: request.kind),
            receiver: receiver,
            transport: self
        )
        let limit = limit(of: exchange.slot)
        let ticket = slots.withLock { $0.take(exchange.slot, limit: limit, orWait: exchange) }
        if let ticket { exchange.wait(with: ticket) } else { exchange.run() }
        return exchange
    }

    /// Returns the maximum number of exchanges that share the connections to a host.
    func limit(of slot: Slot) -> Int {
        guard slot.kind == .call else { return .max }
        return slot.origin.scheme == "https" ? max(100, connectionsPerHost) : connectionsPerHost
    }

    /// Runs `work` on the serial queue that may call URLSession.
    func onLane(_ work: @escaping @Sendable () -> Void) {
        delegate.lane.async(execute: work)
    }

    func leaveQueue(_ ticket: Slots.Ticket) -> Bool {
        slots.withLock { $0.leave(ticket) }
    }

    func giveBackConnection(of exchange: URLSessionExchange) {
        slots.withLock { $0.give(back: exchange.slot) }?.run()
    }

    func makeTask(for exchange: URLSessionExchange) -> URLSessionTask {
        let (session, delegate) = place(of: exchange)
        let task = session.dataTask(with: wireRequest(for: exchange))
        delegate.add(exchange, for: task)
        return task
    }

    /// Returns the session for an exchange.
    private func place(of exchange: URLSessionExchange) -> SessionPlace {
        #if canImport(FoundationNetworking)
        if exchange.request.needsFreshConnection {
            // The session lives as long as its task.
            return newPlace(session.configuration, session.delegateQueue)
        }
        #endif
        return exchange.slot.kind == .call ? (session, delegate) : ensureSideSession()
    }

    private func newPlace(
        _ configuration: URLSessionConfiguration,
        _ queue: OperationQueue
    ) -> SessionPlace {
        let delegate = SessionDelegate(lane: delegate.lane)
        let session = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: queue
        )
        return (session, delegate)
    }

    /// Returns the session for exchanges that bypass the connection limit.
    private func ensureSideSession() -> SessionPlace {
        if let known = sideSession.withLock({ $0 }) { return known }
        let configuration = session.configuration
        configuration.httpMaximumConnectionsPerHost = Self.unlimited
        let new = newPlace(configuration, InlineQueue())
        let known = sideSession.withLock { side in
            let known = side ?? new
            side = known
            return known
        }
        // Another exchange created the session first.
        if known.session !== new.session { new.session.invalidateAndCancel() }
        return known
    }

    private func refuse(
        _ feature: UnsupportedFeature,
        receiver: any TransportReceiver
    ) -> any TransportExchange {
        let refused = RefusedExchange()
        onLane {
            let error = TransportError(.unsupported, underlying: feature)
            receiver.receive(.finished(.failed(error)))
        }
        return refused
    }
}

/// An exchange that was refused before it started.
private final class RefusedExchange: TransportExchange {
    func cancel() {}
}

#if canImport(FoundationNetworking)
extension EncodedRequest {
    /// Whether the request must not reuse a connection, and therefore gets a new session.
    ///
    /// If a reused connection turns out to be closed, libcurl resends the request. For a request with a body, it must
    /// ask, and NetKit refuses. For one without a body, it doesn't ask, so the server may receive the request twice.
    fileprivate var needsFreshConnection: Bool {
        !method.isIdempotent && (body?.length ?? 0) == 0 && headers[.idempotencyKey] == nil
    }
}
#endif

@_spi(Transports) extension URLSessionTransport: PoolingTransport {
    /// Nil: it answers no challenges, those for a certificate included.
    public var connectionIdentity: String? { nil }
    public var maximumConnectionsPerHost: Int { connectionsPerHost }
}

extension URLSessionTransport {
    /// URLSession's own timeout, chosen never to expire before NetKit's.
    ///
    /// On Linux, URLSession creates a timer for every header line and every piece of a body. Dispatch treats more
    /// nanoseconds than 63 bits can hold as "never" and skips the wakeup, which saves a fifth of a small call's time.
    #if canImport(FoundationNetworking)
    private static let distantTimeout: TimeInterval = 10_000_000_000
    #else
    private static let distantTimeout: TimeInterval = 86_400
    #endif

    /// Returns the request in the form that URLSession needs.
    ///
    /// On Linux, every body is a stream with an explicit `Content-Length`. A stream needs at most one copy in memory,
    /// is several times faster than an upload from a file, and can't be resent by URLSession. URLSession would send the
    /// stream chunked, but a `Transfer-Encoding` of one space prevents it: libcurl treats it as "not chunked" and
    /// doesn't send it.
    func wireRequest(for exchange: URLSessionExchange) -> URLRequest {
        var request = exchange.request.urlRequest(with: Self.fields(of: exchange.request))
        #if !canImport(FoundationNetworking)
        // On Linux, the session's timeout applies to requests without their own.
        request.timeoutInterval = Self.distantTimeout
        #endif
        guard let body = exchange.request.body, let failure = exchange.bodyFailure else {
            return request
        }
        #if canImport(FoundationNetworking)
        request.httpBody = nil
        request.setValue(String(body.length), forHTTPHeaderField: "Content-Length")
        request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        request.httpBodyStream = BodyInputStream(body, failure: failure) {
            [weak exchange] count in
            exchange?.sent(count)
        }
        #else
        if body.data == nil {
            request.setValue(String(body.length), forHTTPHeaderField: "Content-Length")
            request.httpBodyStream = BoundBodyStream.stream(of: body, failure: failure) {
                [weak exchange] in
                exchange?.bodyFailed()
            }
        }
        #endif
        return request
    }

    /// Returns the header fields for URLSession.
    ///
    /// On Linux, URLSession adds a `User-Agent` and an `Accept-Language` of its own to requests without them. A blank
    /// value prevents that: libcurl sends neither its own field nor the blank one.
    private static func fields(of request: EncodedRequest) -> [String: String] {
        let headers = request.headers
        var fields = headers.dictionary
        #if canImport(FoundationNetworking)
        if headers[.acceptLanguage] == nil { fields["Accept-Language"] = " " }
        if headers[.userAgent] == nil { fields["User-Agent"] = " " }
        #endif
        return fields
    }

    /// Copies a configuration without the features that are unsafe on Linux or that NetKit replaces.
    static func safeConfiguration(
        _ configuration: URLSessionConfiguration
    ) -> URLSessionConfiguration {
        let safe = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        // On Linux, a cache never stores anything and crashes when a task is canceled early.
        safe.urlCache = nil
        safe.requestCachePolicy = .reloadIgnoringLocalCacheData
        safe.httpCookieStorage = nil
        safe.httpCookieAcceptPolicy = .never
        safe.httpShouldSetCookies = false
        safe.urlCredentialStorage = nil
        // Values other than strings crash the process. The endpoint merges these fields itself.
        safe.httpAdditionalHeaders = nil
        safe.timeoutIntervalForRequest = distantTimeout
        safe.timeoutIntervalForResource = 7 * distantTimeout
        return safe
    }
}

extension ResponseHead {
    init(_ response: HTTPURLResponse) {
        // URLSession has already joined repeated fields, and copies all fields on access. It leaves white space behind
        // values, which is no part of them (RFC 9112, section 5.1).
        let fields = JoinedFields(
            find: { response.value(forHTTPHeaderField: $0)?.trimmedOfBlanks },
            list: {
                response.allHeaderFields.compactMap { name, value in
                    guard let name = name.base as? String, let value = value as? String else {
                        return nil
                    }
                    return (name, value.trimmedOfBlanks)
                }
            }
        )
        self.init(status: HTTPStatus(rawValue: response.statusCode), headers: HTTPHeaders(fields))
    }
}
