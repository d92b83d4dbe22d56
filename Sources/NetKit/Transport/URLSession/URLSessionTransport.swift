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
/// On Linux, the following aren't supported:
///
/// - IPv6 literals, certificate pinning, and client certificates.
/// - A proxy other than that of the environment.
/// - Responses with trailers. An announced trailer fails with ``TransportError/Kind/unsupported``. Trailers that are
///   unannounced, or that arrive in one packet with the head, crash the process.
/// - A truncated head or a `Content-Length` of 2⁶³ − 1. Either crashes the process.
///
/// Nothing above URLSession can prevent these crashes. See <doc:LinuxLimits>.
public final class URLSessionTransport: Transport {
    typealias Slots = SessionConnections<Slot, URLSessionExchange>

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
    private let sideSession = Locked<(session: URLSession, delegate: SessionDelegate)?>(nil)
    /// The queue that creates and resumes tasks.
    ///
    /// Senders therefore don't wait for URLSession's work queue.
    private let tasks = DispatchQueue(label: "NetKit.tasks", qos: .userInitiated)
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

    /// Runs `work` on the serial queue that creates tasks.
    func onTaskQueue(_ work: @escaping @Sendable () -> Void) {
        tasks.async(execute: work)
    }

    func leaveQueue(_ ticket: Slots.Ticket) -> Bool {
        slots.withLock { $0.leave(ticket) }
    }

    func giveBackConnection(of exchange: URLSessionExchange) {
        slots.withLock { $0.give(back: exchange.slot) }?.run()
    }

    func makeTask(for exchange: URLSessionExchange) -> URLSessionTask {
        #if canImport(FoundationNetworking)
        if exchange.request.needsFreshConnection {
            // The session lives as long as its task.
            let delegate = SessionDelegate(lane: delegate.lane)
            let session = URLSession(
                configuration: session.configuration,
                delegate: delegate,
                delegateQueue: session.delegateQueue
            )
            return makeTask(for: exchange, in: session, delegate)
        }
        #endif
        guard exchange.slot.kind != .call else {
            return makeTask(for: exchange, in: session, delegate)
        }
        let side = ensureSideSession()
        return makeTask(for: exchange, in: side.session, side.delegate)
    }

    /// Returns the session for exchanges that bypass the connection limit.
    private func ensureSideSession() -> (session: URLSession, delegate: SessionDelegate) {
        if let known = sideSession.withLock({ $0 }) { return known }
        let configuration = session.configuration
        configuration.httpMaximumConnectionsPerHost = Self.unlimited
        let delegate = SessionDelegate(lane: delegate.lane)
        let new = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: InlineQueue()
        )
        let known = sideSession.withLock { side in
            if let side { return side }
            side = (new, delegate)
            return (new, delegate)
        }
        // Another exchange created the session first.
        if known.session !== new { new.invalidateAndCancel() }
        return known
    }

    private func makeTask(
        for exchange: URLSessionExchange,
        in session: URLSession,
        _ delegate: SessionDelegate
    ) -> URLSessionTask {
        let task = session.dataTask(with: wireRequest(for: exchange))
        delegate.add(exchange, for: task)
        return task
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
