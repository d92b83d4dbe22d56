import Dispatch
import NetKit

/// One client's connection: reads requests, asks the core for responses and writes them.
///
/// The server's thread does all of it but for running routes, which have a queue of the
/// connection's own. Nobody waits for bytes, for room to write or for time to pass.
final class Connection: Sendable {
    /// What the server's thread has to tell.
    struct Event {
        var canRead: Bool
        var canWrite: Bool
        var isTimeUp: Bool
    }

    let id: Int
    private let core: ServerCore
    private let socket: Socket
    private let state: Locked<ConnectionState>
    // Without a target: a thread for each queue that has something to do. With `.global()` as the
    // target, two routes that wait would hold up all servers in the process.
    private let routes = DispatchQueue(label: "NetKitTesting.routes", qos: .userInitiated)

    /// Takes over an accepted socket.
    init(accepting socket: Socket, for core: ServerCore) {
        id = core.connectionAccepted()
        self.core = core
        self.socket = socket
        state = Locked(ConnectionState(id: id, socket: socket))
        core.add(self)
    }

    /// What to wait for; nil when the connection is closed and its descriptor of no more use.
    var wish: ConnectionState.Wish? {
        state.withLock { $0.wish }
    }

    /// The request that is arriving, if its head has arrived.
    var incompleteRequest: RecordedRequest? {
        state.withLock { $0.incompleteRequest }
    }

    /// Closes the connection, whose descriptor the server's thread will give back.
    ///
    /// - Parameter onlyIfIdle: Whether it is left alone while a request or a response is under way.
    /// - Returns: Whether it was open and has been closed.
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

    /// Gives the descriptor back.
    func release() {
        socket.release()
        core.connectionReleased(id)
    }
}

// What the server's thread does.
extension Connection {
    /// Does what has become possible.
    func handle(_ event: Event) {
        if event.canRead { read() }
        guard event.canWrite || event.isTimeUp else { return }
        report(state.withLock { $0.goOn(isTimeUp: event.isTimeUp) })
        advance()
    }

    private func read() {
        // A fast client must not keep the others waiting for ever.
        for _ in 0..<16 {
            if core.hasQueuedResponses, state.withLock({ $0.isUsedAgain }),
                let response = core.responseBeforeHead()
            {
                return report(state.withLock { $0.begin(response) })
            }
            switch state.withLock({ $0.receive() }) {
            case .bytes(let count):
                if let limit = core.bodyLimit, state.withLock({ $0.hasArrived(limit) }) {
                    return report(state.withLock { $0.close() })
                }
                advance()
                if count < ConnectionState.portion { return }
            case .wouldBlock: return
            case .ended: return report(state.withLock { $0.clientLeft() })
            }
        }
    }

    /// Handles what has arrived for as long as nothing has to be waited for.
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

    /// Runs a route, on its queue, and goes on from there.
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

    /// Tells the core if the connection has ended.
    private func report(_ outcome: ConnectionState.Outcome) {
        guard case .ended(let kind, let incomplete) = outcome else { return }
        core.connectionEnded(id, by: kind, leaving: incomplete)
    }
}
