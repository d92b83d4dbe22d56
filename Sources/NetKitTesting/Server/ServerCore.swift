import NetKit
import NetKitSupport

/// The shared state of a server's connections.
///
/// Lock order: the connection's lock first, then the core's, never the reverse.
final class ServerCore: Sendable {
    struct State {
        var routes = RouteTable()
        var queue = ResponseQueue()
        var log = ServerLog()
        var keepsBodies = true
        var bodyLimit: Int?
        var connections: [Int: Connection] = [:]
        var isStopped = false
        var waiters = Waiters()
    }

    /// The response to a request's head.
    enum Decision {
        case readBody(keeping: Bool)
        case answer(MockResponse)
    }

    /// The answer to a complete request.
    enum Answer {
        case response(MockResponse)
        case route(RouteTable.Responder)
    }

    /// Wakes the server's thread.
    let waker: Waker
    private let state = Locked(State())

    init(waker: Waker) {
        self.waker = waker
    }

    /// Changes the state, then wakes the waiters whose conditions are met.
    func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, woken) = state.withLock { state in
            let result = body(&state)
            return (result, state.takeSatisfiedWaiters())
        }
        for waiter in woken { waiter.continuation.resume() }
        return result
    }
}

// The lifetime of a connection.
extension ServerCore {
    /// Whether the server has been stopped.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Counts a connection.
    ///
    /// - Returns: The connection's number.
    func connectionAccepted() -> Int {
        withState { state in
            let id = state.log.acceptedCount + 1
            state.log.note(.accepted, on: id)
            return id
        }
    }

    /// Adds an accepted connection.
    func add(_ connection: Connection) {
        withState { $0.connections[connection.id] = connection }
    }

    /// Records which side closed a connection first, and its incomplete request.
    func connectionEnded(
        _ id: Int,
        by kind: ConnectionEvent.Kind,
        leaving incomplete: RecordedRequest?
    ) {
        withState { state in
            state.log.note(kind, on: id)
            if let incomplete { state.log.recordAbandoned(incomplete) }
        }
    }

    /// Removes a connection whose descriptor has been released.
    func connectionReleased(_ id: Int) {
        withState { $0.connections[id] = nil }
    }
}

// The lifetime of a request.
extension ServerCore {
    /// The number of body bytes after which a connection is closed.
    var bodyLimit: Int? { state.withLock { $0.bodyLimit } }

    /// Whether any response is queued.
    var hasQueuedResponses: Bool {
        state.withLock { !$0.queue.isEmpty }
    }

    /// Returns the fault for a request whose first bytes arrived on a used connection.
    func responseBeforeHead() -> MockResponse? {
        state.withLock { $0.queue.next(at: .reusedConnection) }
    }

    /// Records a request's head.
    func headArrived(_ origin: RecordedRequest.Origin) -> Decision {
        withState { state in
            state.log.note(.requestHeadReceived, on: origin.connectionID, at: origin.headReceivedAt)
            if let response = state.queue.next(at: .head(isReused: origin.index > 0)) {
                return .answer(response)
            }
            return .readBody(keeping: state.keepsBodies)
        }
    }

    /// Records a complete request and finds its answer.
    func requestArrived(_ request: RecordedRequest) -> Answer {
        withState { state in
            state.log.record(request)
            let isReused = request.indexOnConnection > 0
            if let queued = state.queue.next(at: .complete(isReused: isReused)) {
                return .response(queued)
            }
            let (method, path) = (request.method.rawValue, request.path)
            guard let responder = state.routes.responder(method: method, path: path) else {
                return .response(.text("no route for \(method) \(path)", status: 404))
            }
            return .route(responder)
        }
    }
}
