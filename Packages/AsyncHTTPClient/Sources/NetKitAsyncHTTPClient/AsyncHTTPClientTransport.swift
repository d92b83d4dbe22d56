internal import AsyncHTTPClient
internal import Foundation
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
@_spi(Transports) public import NetKit

/// A transport over AsyncHTTPClient, with HTTP/1.1 and HTTP/2.
///
/// It supports features that URLSession on Linux doesn't:
///
/// - Responses with trailers, which are ignored, and IPv6 literals as hosts.
/// - Backpressure, so that a slow reader slows the server down.
/// - A proxy, custom certificate authorities, pinned public keys, and a client certificate. See ``Configuration``.
///
/// It stores no cookies, has no cache, and follows no redirects. The endpoint does all of that, and decides about
/// retries. The transport itself resends a request only if the server didn't process it (RFC 9113, section 8.7).
///
/// ```swift
/// let endpoint = Endpoint(baseURL: url, transport: AsyncHTTPClientTransport())
/// ```
///
/// An endpoint limits the requests in flight to a host to the connections of its transport, and queues the others by
/// priority. For hosts that speak HTTP/2, raise `maximumConcurrentRequestsPerHost` to as much as 100.
///
/// Releasing the transport closes its connections. To wait for that, use ``shutdown()``.
public final class AsyncHTTPClientTransport: Transport {
    private struct State {
        var queue: ConnectionQueue<AsyncHTTPClientExchange>
        var underWay = 0
        var isShutDown = false
        /// Callers that wait until no request is in flight.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The configuration that the transport was created with.
    public let configuration: Configuration
    /// An identity of its own for each transport with a client certificate.
    @_spi(Transports) public let connectionIdentity: String?
    /// The clients, one per event loop.
    ///
    /// A request and its connection thus share a loop.
    ///
    /// AsyncHTTPClient 1.37 crashes if they don't, when a response completes before the end of its upload is reported
    /// and the connection closes. Requesting a loop by name would cost the connection, which is then closed after use.
    private let clients: [ObjectIdentifier: HTTPClient]
    /// The same for each way through a proxy of the environment.
    private let proxied: [ProxyRoute: [ObjectIdentifier: HTTPClient]]
    private let proxies: EnvironmentProxies
    private let loops: [any EventLoop]
    private let state: NIOLockedValueBox<State>

    /// Creates a transport with its own connections.
    ///
    /// It runs on the event loops shared by the process.
    ///
    /// - Parameter configuration: The configuration, which can't be changed later. Defaults to `Configuration()`.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration: configuration, environment: ProcessInfo.processInfo.environment)
    }

    /// Creates a transport with a given environment.
    init(configuration: Configuration, environment: [String: String]) {
        self.configuration = configuration
        connectionIdentity = configuration.tls.clientCertificate.map { _ in UUID().uuidString }
        proxies =
            configuration.proxy == nil && configuration.usesEnvironmentProxy
            ? EnvironmentProxies(environment) : .none
        let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        let connections = configuration.maximumConnectionsPerHost
        state = NIOLockedValueBox(
            State(queue: ConnectionQueue(.init(http1: connections, http2: max(100, connections))))
        )
        self.loops = loops
        clients = Self.clients(for: .direct, configuration, on: loops)
        var proxied: [ProxyRoute: [ObjectIdentifier: HTTPClient]] = [:]
        for route in proxies.routes {
            switch route {
            case .direct, .unusable: break
            case .tunnel, .forwarded:
                proxied[route] = Self.clients(for: route, configuration, on: loops)
            }
        }
        self.proxied = proxied
    }

    private static func clients(
        for route: ProxyRoute,
        _ configuration: Configuration,
        on loops: [any EventLoop]
    ) -> [ObjectIdentifier: HTTPClient] {
        let client = configuration.client(for: route)
        return Dictionary(
            loops.map { loop in
                (ObjectIdentifier(loop), HTTPClient(eventLoopGroup: loop, configuration: client))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private var allClients: [HTTPClient] {
        clients.values + proxied.values.flatMap { $0.values }
    }

    deinit {
        // Every exchange retains the transport, so none is in flight here.
        guard !state.withLockedValue({ $0.isShutDown }) else { return }
        for client in allClients { client.shutdown { _ in } }
    }

    /// Whether the transport sends live sequences while they produce data.
    ///
    /// Always `true`.
    ///
    /// A sequence of unknown length is sent in chunks.
    public var sendsSequences: Bool { true }

    public func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        let key: ConnectionKey
        do throws(TransportError) {
            key = try WireRequest.key(of: request.url, kind: request.kind)
        } catch {
            return refuse(error, receiver)
        }
        let route = proxies.route(to: key.host, isSecure: key.isSecure)
        if case .unusable(let reason) = route {
            return refuse(
                TransportError(.unsupported, underlying: Unsupported(what: reason)),
                receiver
            )
        }
        let exchange = AsyncHTTPClientExchange(
            request: request,
            key: key,
            route: route,
            receiver: receiver,
            transport: self
        )
        let place = state.withLockedValue { state in
            guard !state.isShutDown else {
                return ConnectionQueue<AsyncHTTPClientExchange>.Place?.none
            }
            state.underWay += 1
            return state.queue.take(key, orWait: exchange)
        }
        switch place {
        case nil: return refuse(TransportError(.other, underlying: ShutDown()), receiver)
        case .free(let loop): exchange.run(on: loop ?? self.loop(for: key))
        case .queued(let ticket): exchange.wait(with: ticket)
        }
        return exchange
    }

    /// Refuses new requests, waits for those in flight, and closes all connections.
    ///
    /// Requests in flight finish normally. To cancel them, use `cancelAllRequests()` of their endpoint. Canceling the
    /// task has no effect. If the transport is already shut down, this method only waits for requests in flight.
    public func shutdown() async {
        let isFirst = state.withLockedValue { state in
            defer { state.isShutDown = true }
            return !state.isShutDown
        }
        await withCheckedContinuation { continuation in
            let isIdle = state.withLockedValue { state in
                if state.underWay > 0 { state.waiting.append(continuation) }
                return state.underWay == 0
            }
            if isIdle { continuation.resume() }
        }
        // It fails only if it was shut down before.
        guard isFirst else { return }
        for client in allClients { try? await client.shutdown() }
    }

    // MARK: Requests from exchanges

    func execute(
        _ request: HTTPClient.Request,
        for exchange: AsyncHTTPClientExchange,
        on loop: any EventLoop
    ) throws -> HTTPClient.Task<Void> {
        let clients = exchange.route == .direct ? clients : proxied[exchange.route]
        guard let client = clients?[ObjectIdentifier(loop)] else { throw ShutDown() }
        return client.execute(request: request, delegate: exchange, eventLoop: .delegate(on: loop))
    }

    /// An event loop for work without a connection.
    var anyLoop: any EventLoop { MultiThreadedEventLoopGroup.singleton.any() }

    /// Returns the event loop for a request without an idle connection.
    ///
    /// For HTTP/2, a host always has the same loop, so that one connection carries all of its requests.
    private func loop(for key: ConnectionKey) -> any EventLoop {
        guard key.isSecure, configuration.usesHTTP2, !loops.isEmpty else { return anyLoop }
        return loops[Int(UInt(bitPattern: key.ofCalls.hashValue) % UInt(loops.count))]
    }

    func leaveQueue(_ ticket: ConnectionQueue<AsyncHTTPClientExchange>.Ticket) -> Bool {
        state.withLockedValue { $0.queue.leave(ticket) }
    }

    func giveBackConnection(to key: ConnectionKey, wasSent: Bool, on loop: any EventLoop) {
        let next = state.withLockedValue { $0.queue.give(back: key, wasSent: wasSent, on: loop) }
        if let next { loop.execute { next.run(on: loop) } }
    }

    /// Records an answer with a host's HTTP version, which determines its request limit.
    func learn(_ key: ConnectionKey, isHTTP2: Bool, on loop: any EventLoop) {
        let admitted = state.withLockedValue { $0.queue.learn(key, isHTTP2: isHTTP2) }
        for next in admitted { loop.execute { next.run(on: loop) } }
    }

    func note(_ key: ConnectionKey, isSent: Bool) {
        state.withLockedValue { $0.queue.note(key, isSent: isSent) }
    }

    func isBusy(_ key: ConnectionKey) -> Bool {
        state.withLockedValue { $0.queue.isBusy(key) }
    }

    func answers(from key: ConnectionKey) -> Int {
        state.withLockedValue { $0.queue.answers(from: key) }
    }

    func hasEnded() {
        let waiting = state.withLockedValue { state -> [CheckedContinuation<Void, Never>] in
            state.underWay -= 1
            guard state.underWay == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func refuse(
        _ error: TransportError,
        _ receiver: any TransportReceiver
    ) -> any TransportExchange {
        anyLoop.execute { receiver.receive(.finished(.failed(error))) }
        return RefusedExchange()
    }
}

/// An exchange that was refused before it started.
private final class RefusedExchange: TransportExchange {
    func cancel() {}
}

/// An error for a request to a transport that was shut down.
struct ShutDown: LastingCause {
    let description = "the transport was shut down"
}

@_spi(Transports) extension AsyncHTTPClientTransport: PoolingTransport {
    public var maximumConnectionsPerHost: Int { max(1, configuration.maximumConnectionsPerHost) }
}
