// What it has seen.
extension MockServer {
    /// The requests received in full, in the order they were complete.
    ///
    /// A request is here before its response is sent.
    public var requests: [RecordedRequest] { core.withState { $0.log.requests } }

    /// How many requests were received in full, counted also while nothing is recorded.
    public var requestCount: Int { core.withState { $0.log.completeCount } }

    /// The requests whose head came and whose body did not, or not yet, in the order of their
    /// connections: those whose connection has ended first, then those that are arriving.
    ///
    /// ``RecordedRequest/bodyLength`` is how much of the body came.
    public var incompleteRequests: [RecordedRequest] {
        let (abandoned, connections) = core.withState { state in
            (state.log.abandoned, state.connections.values.sorted { $0.id < $1.id })
        }
        return abandoned + connections.compactMap(\.incompleteRequest)
    }

    /// What happened on the connections, in order.
    public var connectionEvents: [ConnectionEvent] { core.withState { $0.log.events } }

    /// How many connections are open.
    public var openConnections: Int { core.withState { $0.connections.count } }

    /// How many connections there have been.
    public var acceptedConnections: Int { core.withState { $0.log.acceptedCount } }

    /// Whether the bodies of requests are kept, as they are by default.
    ///
    /// Otherwise they are read and counted only, so that an upload of any size takes no memory.
    /// It applies to requests whose head comes after the change.
    public var keepsBodies: Bool {
        get { core.withState { $0.keepsBodies } }
        set { core.withState { $0.keepsBodies = newValue } }
    }

    /// After how many bytes of a request's body the connection is closed, as if the server had died;
    /// nil, as it is by default, for never.
    ///
    /// The bytes are counted as they are read, up to 64 KiB at a time. What the client had sent
    /// beyond them resets the connection.
    public var closesAfterBodyBytes: Int? {
        get { core.withState { $0.bodyLimit } }
        set { core.withState { $0.bodyLimit = newValue } }
    }

    /// Whether requests and connection events are recorded, as they are by default.
    ///
    /// A server that is to answer many thousands of requests grows less without. Routes get their
    /// requests all the same.
    public var recordsRequests: Bool {
        get { core.withState { $0.log.isOn } }
        set { core.withState { $0.log.isOn = newValue } }
    }

    /// Forgets the requests and connection events recorded so far; the counts go on.
    public func clearRequests() {
        core.withState { $0.log.clear() }
    }
}

// Waiting for it.
extension MockServer {
    /// Waits until so many requests have been recorded.
    ///
    /// - Parameters:
    ///   - count: How many requests, those that have been recorded before included.
    ///   - timeout: How long to wait. The default is 20 seconds.
    /// - Returns: The requests, which may be more.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``,
    ///   ``MockServerError/stopped(waitingFor:)``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func waitForRequests(
        _ count: Int,
        timeout: Duration = .seconds(20)
    ) async throws -> [RecordedRequest] {
        try await core.wait(for: "\(count) requests", timeout: timeout) { state in
            state.log.requests.count >= count
        }
        return requests
    }

    /// Waits until the client has closed or reset a connection.
    ///
    /// - Parameters:
    ///   - connectionID: Which connection; nil, the default, for any.
    ///   - timeout: How long to wait. The default is 20 seconds.
    /// - Returns: The event, with the time at which the server noticed.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``,
    ///   ``MockServerError/stopped(waitingFor:)``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func waitForClientClose(
        of connectionID: Int? = nil,
        timeout: Duration = .seconds(20)
    ) async throws -> ConnectionEvent {
        try await waitForEvent(.clientClosed, on: connectionID, timeout: timeout)
    }

    /// Waits until something has happened on a connection, or finds that it has.
    ///
    /// - Parameters:
    ///   - kind: What is to happen.
    ///   - connectionID: On which connection; nil, the default, for any.
    ///   - timeout: How long to wait. The default is 20 seconds.
    /// - Returns: The first event of that kind since recording began or was cleared.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``,
    ///   ``MockServerError/stopped(waitingFor:)``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func waitForEvent(
        _ kind: ConnectionEvent.Kind,
        on connectionID: Int? = nil,
        timeout: Duration = .seconds(20)
    ) async throws -> ConnectionEvent {
        let isSought: @Sendable (ConnectionEvent) -> Bool = { event in
            event.kind == kind && (connectionID == nil || event.connectionID == connectionID)
        }
        let event = "\(kind)" + (connectionID.map { " on connection \($0)" } ?? "")
        try await core.wait(for: event, timeout: timeout) {
            $0.log.events.contains(where: isSought)
        }
        guard let found = connectionEvents.first(where: isSought) else {
            throw MockServerError.stopped(waitingFor: event)
        }
        return found
    }

    /// Waits until no connection is open.
    ///
    /// - Parameter timeout: How long to wait. The default is 20 seconds.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``, or `CancellationError` if the
    ///   task is cancelled.
    public func waitUntilDisconnected(timeout: Duration = .seconds(20)) async throws {
        try await core.wait(for: "the last connection to end", timeout: timeout) { state in
            state.connections.isEmpty
        }
    }
}
