#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// The default ``Transport``: one `URLSession`, used only in the ways that are safe on Linux too.
///
/// It keeps no cookies and no cache, follows no redirects and answers no challenges: that is the
/// endpoint's business, and each of them can freeze or end a process on Linux. At most
/// `httpMaximumConnectionsPerHost` requests are in flight to one http origin; the others wait in
/// order. For https it is 100, as HTTP/2 carries many on one connection. Streams and the requests of
/// a credential refresh have a session and connections of their own, and wait for none of them.
///
/// What it cannot do on Linux: IPv6 literals, pinning, client certificates, a proxy other than the
/// environment's, and responses with trailers. A `Trailer` field is refused with
/// ``TransportError/Kind/unsupported``; trailers that come unannounced, or in one packet with the
/// head, end the process, and nothing above URLSession can prevent it. Nor can it prevent two other ways to end
/// the process, a head that breaks off and a `Content-Length` of 2⁶³ − 1; see <doc:LinuxLimits>.
public final class URLSessionTransport: Transport {
    typealias Slots = SessionConnections<Slot, URLSessionExchange>

    /// What requests share connections for.
    struct Slot: Hashable, Sendable {
        let origin: Origin
        let kind: ExchangeKind
    }

    /// More connections to a host than anybody opens.
    private static let unlimited = 10_000

    private let delegate = SessionDelegate()
    let session: URLSession
    /// The session of streams and refreshes, made for the first of them.
    private let sideSession = Locked<(session: URLSession, delegate: SessionDelegate)?>(nil)
    /// Where tasks are made and resumed, which waits for URLSession's work queue: whoever sends a request does not.
    private let tasks = DispatchQueue(label: "NetKit.tasks", qos: .userInitiated)
    private let slots = Locked(Slots())
    private let connectionsPerHost: Int

    /// Makes a transport with a session of its own.
    ///
    /// - Parameter configuration: What the session starts from; a copy is changed, never the
    ///   original. Cookie, cache and credential stores are left out, and so are
    ///   `httpAdditionalHeaders`, which the endpoint adds itself, and the timeouts, which are the
    ///   endpoint's.
    public init(configuration: URLSessionConfiguration = .default) {
        let safe = Self.safeConfiguration(configuration)
        connectionsPerHost = safe.httpMaximumConnectionsPerHost
        session = URLSession(configuration: safe, delegate: delegate, delegateQueue: InlineQueue())
    }

    deinit {
        // Every exchange holds the transport, so that nothing is under way any more.
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

    /// How many exchanges may share the connections to a host.
    func limit(of slot: Slot) -> Int {
        guard slot.kind == .call else { return .max }
        return slot.origin.scheme == "https" ? max(100, connectionsPerHost) : connectionsPerHost
    }

    /// Runs `work` on the serial queue that may call URLSession.
    func onLane(_ work: @escaping @Sendable () -> Void) {
        delegate.lane.async(execute: work)
    }

    /// Runs `work` on the serial queue that makes tasks.
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
            // It lives as long as its task.
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

    /// The session of what must not wait for a connection, nor keep calls waiting for one.
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
        // Another exchange was faster.
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

/// An exchange that was over before it began.
private final class RefusedExchange: TransportExchange {
    func cancel() {}
}

#if canImport(FoundationNetworking)
extension EncodedRequest {
    /// Whether the request must not meet a kept connection, and gets a session that has none.
    ///
    /// Where a kept connection turns out to be closed, libcurl sends a request again by itself. For one
    /// with a body it has to ask, and is refused; of one without, nobody hears, and the server may get
    /// it twice.
    fileprivate var needsFreshConnection: Bool {
        !method.isIdempotent && (body?.length ?? 0) == 0 && headers[.idempotencyKey] == nil
    }
}
#endif
