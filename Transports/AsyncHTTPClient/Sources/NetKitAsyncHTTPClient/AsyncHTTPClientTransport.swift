internal import AsyncHTTPClient
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
public import NetKit

/// Sends requests over AsyncHTTPClient: HTTP/1.1 and HTTP/2, with what URLSession on Linux cannot do.
///
/// Responses may have trailers, which are passed over, hosts may be IPv6 literals, a slow reader holds
/// its server back, and ``Configuration`` has a proxy, authorities, pinned public keys and a client
/// certificate. It keeps no cookies and no cache, and neither follows redirects nor sends anything a
/// second time: that is the endpoint's business.
///
/// ```swift
/// let endpoint = Endpoint(baseURL: url, transport: AsyncHTTPClientTransport())
/// ```
///
/// A transport that is let go of closes its connections; ``shutdown()`` waits for that.
public final class AsyncHTTPClientTransport: Transport {
    private struct State {
        var queue: ConnectionQueue<AsyncHTTPClientExchange>
        var underWay = 0
        var isShutDown = false
        /// Who waits until nothing is under way.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// What it was made with.
    public let configuration: Configuration
    /// One for each event loop, so that a request and its connection are always on the same one.
    ///
    /// Where the answer to an upload is whole before its end is said to be sent, and the connection is closed then,
    /// AsyncHTTPClient 1.37 ends the process if the two are on different loops. A loop that is asked for by name would
    /// cost the connection, which is closed afterwards.
    private let clients: [ObjectIdentifier: HTTPClient]
    private let loops: [any EventLoop]
    private let state: NIOLockedValueBox<State>

    /// Makes a transport with connections of its own.
    ///
    /// It runs on the event loops that all of the process share.
    ///
    /// - Parameter configuration: What it is made with; it cannot be changed later.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        let connections = configuration.maximumConnectionsPerHost
        state = NIOLockedValueBox(
            State(queue: ConnectionQueue(.init(http1: connections, http2: max(100, connections))))
        )
        let client = configuration.client
        clients = Dictionary(
            loops.map { loop in
                (ObjectIdentifier(loop), HTTPClient(eventLoopGroup: loop, configuration: client))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    deinit {
        // Every exchange holds the transport, so that nothing is under way any more.
        guard !state.withLockedValue({ $0.isShutDown }) else { return }
        for client in clients.values { client.shutdown { _ in } }
    }

    /// Always true: bodies that are live sequences are sent while they come, in chunks where their
    /// length is not known.
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
        let exchange = AsyncHTTPClientExchange(
            request: request,
            key: key,
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

    /// Takes no new requests, waits for those under way, and closes all connections.
    ///
    /// Requests that come later fail. Those under way are not cut off: an endpoint's
    /// `cancelAllRequests()` ends its own. Cancelling the task changes nothing. Shutting down again
    /// does nothing but wait.
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
        for client in clients.values { try? await client.shutdown() }
    }

    // MARK: What exchanges ask for

    func execute(
        _ request: HTTPClient.Request,
        for exchange: AsyncHTTPClientExchange,
        on loop: any EventLoop
    ) throws -> HTTPClient.Task<Void> {
        guard let client = clients[ObjectIdentifier(loop)] else { throw ShutDown() }
        return client.execute(request: request, delegate: exchange, eventLoop: .delegate(on: loop))
    }

    /// An event loop for what has no connection.
    var anyLoop: any EventLoop { MultiThreadedEventLoopGroup.singleton.any() }

    /// Where a request runs for which no connection is idle.
    ///
    /// With HTTP/2 it is always the same loop for a host, so that one connection carries all of its requests.
    private func loop(for key: ConnectionKey) -> any EventLoop {
        guard key.isSecure, configuration.usesHTTP2, !loops.isEmpty else { return anyLoop }
        return loops[Int(UInt(bitPattern: key.ofCalls.hashValue) % UInt(loops.count))]
    }

    func leaveQueue(_ ticket: ConnectionQueue<AsyncHTTPClientExchange>.Ticket) -> Bool {
        state.withLockedValue { $0.queue.leave(ticket) }
    }

    func giveBackConnection(to key: ConnectionKey, on loop: any EventLoop) {
        let next = state.withLockedValue { $0.queue.give(back: key, on: loop) }
        if let next { loop.execute { next.run(on: loop) } }
    }

    /// A host has answered in a version of HTTP, which says how many requests it takes at a time.
    func learn(_ key: ConnectionKey, isHTTP2: Bool, on loop: any EventLoop) {
        let admitted = state.withLockedValue { $0.queue.learn(key, isHTTP2: isHTTP2) }
        for next in admitted { loop.execute { next.run(on: loop) } }
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

/// An exchange that was over before it began.
private final class RefusedExchange: TransportExchange {
    func cancel() {}
}

/// The transport was shut down before it was given the request.
struct ShutDown: DescribedCause {
    let description = "the transport was shut down"
}
