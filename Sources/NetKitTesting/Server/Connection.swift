import Dispatch
import NetKit

/// One client's connection: reads requests, asks the core for responses and writes them.
///
/// Everything happens on the connection's serial queue, but for being closed from outside. No
/// thread waits: neither for bytes, nor for room to write, nor for time to pass.
final class Connection: Sendable {
    let id: Int
    private let core: ServerCore
    private let state: Locked<ConnectionState>

    /// The server on one of whose connections' queues the code runs.
    static let currentServer = DispatchSpecificKey<ObjectIdentifier>()

    private init(id: Int, socket: Socket, core: ServerCore) {
        self.id = id
        self.core = core
        state = Locked(ConnectionState(id: id, socket: socket))
    }

    /// Takes over an accepted socket, or releases it if the server has been stopped.
    static func begin(on socket: Socket, of core: ServerCore) {
        guard let id = core.connectionAccepted() else { return socket.release() }
        let connection = Connection(id: id, socket: socket, core: core)
        // Without a target: a thread for each queue that has something to do, so that a route that
        // waits delays no other connection, and no other server. With `.global()` as the target two
        // such routes would bring all servers in the process to a halt for a second.
        let queue = DispatchQueue(label: "NetKitTesting.connection", qos: .userInitiated)
        queue.setSpecific(key: currentServer, value: ObjectIdentifier(core))
        connection.state.withLock { state in
            state.sources = ConnectionSources(
                descriptor: socket.descriptor,
                queue: queue,
                canRead: { connection.canRead() },
                hasRoom: { connection.goOn(after: .room) },
                timeIsUp: { connection.goOn(after: .time) },
                ended: {
                    socket.release()
                    core.connectionReleased(id)
                }
            )
        }
        // The core knows it before anything can happen on it.
        core.add(connection)
        connection.state.withLock { $0.sources?.activate() }
    }

    /// Closes the connection.
    ///
    /// - Parameter onlyIfIdle: Whether it is left alone while a request or a response is under way.
    /// - Returns: Whether it was open and has been closed.
    @discardableResult
    func close(onlyIfIdle: Bool = false) -> Bool {
        let outcome = state.withLock { state in
            onlyIfIdle && !state.isIdle ? .open : state.close()
        }
        guard case .closedByServer = outcome else { return false }
        report(outcome)
        return true
    }

    /// The request that is arriving, if its head has arrived.
    var incompleteRequest: RecordedRequest? {
        state.withLock { $0.incompleteRequest }
    }

    private func canRead() {
        // To the very end: of a connection that is reset Dispatch tells only once, perhaps together
        // with the last bytes.
        while true {
            if core.hasQueuedResponses, state.withLock({ $0.isUsedAgain }),
                let response = core.responseBeforeHead()
            {
                return report(state.withLock { $0.begin(response) })
            }
            switch state.withLock({ $0.receive() }) {
            case .bytes: advance()
            case .wouldBlock: return
            case .ended: return report(.clientLeft)
            }
        }
    }

    private func goOn(after event: ConnectionState.Awaited) {
        report(state.withLock { $0.goOn(after: event) })
        advance()
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
                let response = core.response(to: request)
                report(state.withLock { $0.begin(response) })
            case .malformed(let reason):
                let response = MockResponse.text("malformed request: \(reason)", status: 400)
                report(state.withLock { $0.begin(response.closingConnection()) })
            }
        }
    }

    /// Tells the core what became of the connection, and closes it if the client has left.
    private func report(_ outcome: ConnectionState.Outcome) {
        switch outcome {
        case .open:
            return
        case .closedByServer(let incomplete):
            core.connectionEnded(id, by: .serverClosed, leaving: incomplete)
        case .clientLeft:
            guard case .closedByServer(let incomplete) = state.withLock({ $0.close() }) else {
                return
            }
            core.connectionEnded(id, by: .clientClosed, leaving: incomplete)
        }
    }
}
