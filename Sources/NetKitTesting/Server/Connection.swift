import Dispatch
import NetKit
import NetKitSupport

/// A client's connection: reads requests, gets responses from the core, and writes them.
///
/// It runs on the server's thread, except routes, which run on the connection's own queue. No code
/// blocks for bytes, for space to write or for time to pass.
final class Connection: Sendable {
    /// An event that the server's thread reports.
    struct Event {
        var canRead: Bool
        var canWrite: Bool
        var isTimeUp: Bool
    }

    let id: Int
    private let core: ServerCore
    private let socket: Socket
    private let state: Locked<ConnectionState>
    // Without a target, each active queue has its own thread. With `.global()` as the target, two
    // blocked routes would block all servers in the process.
    private let routes = DispatchQueue(label: "NetKitTesting.routes", qos: .userInitiated)

    /// Takes over an accepted socket.
    init(accepting socket: Socket, for core: ServerCore) {
        id = core.connectionAccepted()
        self.core = core
        self.socket = socket
        state = Locked(ConnectionState(id: id, socket: socket))
        core.add(self)
    }

    /// The events to wait for; nil if the connection is closed and its descriptor can be released.
    var wish: ConnectionState.Wish? {
        state.withLock { $0.wish }
    }

    /// The request that is arriving, if its head has arrived.
    var incompleteRequest: RecordedRequest? {
        state.withLock { $0.incompleteRequest }
    }

    /// Closes the connection.
    ///
    /// The server's thread releases its descriptor later.
    ///
    /// - Parameter onlyIfIdle: Whether to keep a connection with a request or a response in flight.
    /// - Returns: Whether the connection was open and is now closed.
    @discardableResult
    func close(onlyIfIdle: Bool = false) -> Bool {
        let outcome = state.withLock { state in
            onlyIfIdle && !state.isIdle ? .open : state.close()
        }
        guard case .ended = outcome else { return false }
        report(outcome)
        core.waker.wake()
        return true
    }

    /// Releases the descriptor.
    func release() {
        socket.release()
        core.connectionReleased(id)
    }
}

// Work of the server's thread.
extension Connection {
    /// Handles an event.
    func handle(_ event: Event) {
        if event.canRead { read() }
        guard event.canWrite || event.isTimeUp else { return }
        report(state.withLock { $0.goOn(isTimeUp: event.isTimeUp) })
        advance()
    }

    private func read() {
        // A limit, so that a fast client doesn't starve the others.
        for _ in 0..<16 {
            if core.hasQueuedResponses, state.withLock({ $0.isUsedAgain }),
                let response = core.responseBeforeHead()
            {
                return report(state.withLock { $0.begin(response) })
            }
            switch state.withLock({ $0.receive() }) {
            case .bytes(let count):
                if hasReachedLimit { return report(state.withLock { $0.close() }) }
                advance()
                if count < ConnectionState.portion { return }
            case .wouldBlock: return
            case .ended: return report(state.withLock { $0.clientLeft() })
            }
        }
    }

    /// Whether as much of a body has arrived as the server reads.
    private var hasReachedLimit: Bool {
        core.bodyLimit.map { limit in state.withLock { $0.hasArrived(limit) } } ?? false
    }

    /// Handles received bytes until the connection has to wait.
    private func advance() {
        while let task = state.withLock({ $0.nextTask() }) {
            switch task {
            case .head(let origin, let expectsContinue):
                switch core.headArrived(origin) {
                case .readBody(let keepsBody):
                    let outcome = state.withLock {
                        $0.readBody(keeping: keepsBody, sayingContinue: expectsContinue)
                    }
                    report(outcome)
                    // The body may have arrived with its head.
                    if hasReachedLimit { return report(state.withLock { $0.close() }) }
                case .answer(let response):
                    report(state.withLock { $0.begin(response) })
                }
            case .request(let request):
                switch core.requestArrived(request) {
                case .response(let response): report(state.withLock { $0.begin(response) })
                case .route(let responder): routes.async { self.answer(request, with: responder) }
                }
            case .malformed(let reason):
                let response = MockResponse.text("malformed request: \(reason)", status: 400)
                report(state.withLock { $0.begin(response.closingConnection()) })
            }
        }
    }

    /// Runs a route on its queue, and starts its response.
    private func answer(_ request: RecordedRequest, with responder: RouteTable.Responder) {
        let response: MockResponse
        do {
            response = try responder(request)
        } catch {
            let line = "\(request.method) \(request.path)"
            response = .text("the route for \(line) threw: \(error)", status: 500)
        }
        report(state.withLock { $0.begin(response) })
        advance()
        if state.withLock({ $0.needsAttention }) { core.waker.wake() }
    }

    /// Reports the end of the connection to the core.
    private func report(_ outcome: ConnectionState.Outcome) {
        guard case .ended(let kind, let incomplete) = outcome else { return }
        core.connectionEnded(id, by: kind, leaving: incomplete)
    }
}
