import NetKit

/// What a server's connections share.
///
/// Locks are taken in one order: a connection's own first, the core's second, never the other way.
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

    /// What to do about a request whose head has arrived.
    enum Decision {
        case readBody(keeping: Bool)
        case answer(MockResponse)
    }

    /// Who answers a complete request.
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

    /// Works on the state, and afterwards wakes those whose condition has come true.
    func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, woken) = state.withLock { state in
            let result = body(&state)
            return (result, state.takeSatisfiedWaiters())
        }
        for waiter in woken { waiter.continuation.resume() }
        return result
    }
}

// The life of a connection.
extension ServerCore {
    /// Whether the server has been stopped.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Counts a connection.
    ///
    /// - Returns: Its number.
    func connectionAccepted() -> Int {
        withState { state in
            let id = state.log.acceptedCount + 1
            state.log.note(.accepted, on: id)
            return id
        }
    }

    /// Adds a connection that has been accepted.
    func add(_ connection: Connection) {
        withState { $0.connections[connection.id] = connection }
    }

    /// Takes note of who closed a connection first, and of what it leaves half-read.
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

    /// Takes note that a connection's descriptor has been given back.
    func connectionReleased(_ id: Int) {
        withState { $0.connections[id] = nil }
    }
}

// The life of a request.
extension ServerCore {
    /// After how many bytes of a request's body its connection is closed.
    var bodyLimit: Int? { state.withLock { $0.bodyLimit } }

    /// Whether any response is queued.
    var hasQueuedResponses: Bool {
        state.withLock { !$0.queue.isEmpty }
    }

    /// The response, a fault, for a request that has just begun to arrive on a used connection.
    func responseBeforeHead() -> MockResponse? {
        state.withLock { $0.queue.next(at: .reusedConnection) }
    }

    /// Takes note of a request's head.
    func headArrived(_ origin: RecordedRequest.Origin) -> Decision {
        withState { state in
            state.log.note(.requestHead, on: origin.connectionID, at: origin.headReceivedAt)
            if let response = state.queue.next(at: .head(isReused: origin.index > 0)) {
                return .answer(response)
            }
            return .readBody(keeping: state.keepsBodies)
        }
    }

    /// Takes note of a complete request and finds who answers it.
    func requestArrived(_ request: RecordedRequest) -> Answer {
        withState { state in
            state.log.record(request)
            let isReused = request.indexOnConnection > 0
            if let queued = state.queue.next(at: .complete(isReused: isReused)) {
                return .response(queued)
            }
            let (method, path) = (request.method, request.path)
            guard let responder = state.routes.responder(method: method, path: path) else {
                return .response(.text("no route for \(method) \(path)", status: 404))
            }
            return .route(responder)
        }
    }
}
