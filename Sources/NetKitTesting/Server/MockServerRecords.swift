// Recorded requests and events.
extension MockServer {
    /// The complete requests, in the order of completion.
    ///
    /// A request is added before its response is sent.
    public var requests: [RecordedRequest] { core.withState { $0.log.requests } }

    /// The number of complete requests, including those that weren't recorded.
    public var requestCount: Int { core.withState { $0.log.completeCount } }

    /// The requests whose head arrived but whose body is incomplete.
    ///
    /// Requests of closed connections come first, then those that are still arriving.
    /// ``RecordedRequest/bodyLength`` is the length that has arrived.
    public var incompleteRequests: [RecordedRequest] {
        let (abandoned, connections) = core.withState { state in
            (state.log.abandoned, state.connections.values.sorted { $0.id < $1.id })
        }
        return abandoned + connections.compactMap(\.incompleteRequest)
    }

    /// The events on the connections, in order.
    public var connectionEvents: [ConnectionEvent] { core.withState { $0.log.events } }

    /// The number of open connections.
    public var openConnectionCount: Int { core.withState { $0.connections.count } }

    /// The number of accepted connections.
    public var acceptedConnectionCount: Int { core.withState { $0.log.acceptedCount } }

    /// Whether to keep the bodies of requests.
    ///
    /// True by default.
    ///
    /// If false, bodies are only read and counted, so that an upload of any size takes no memory. A
    /// change applies to requests whose head arrives later.
    public var keepsBodies: Bool {
        get { core.withState { $0.keepsBodies } }
        set { core.withState { $0.keepsBodies = newValue } }
    }

    /// The number of body bytes after which the server closes the connection.
    ///
    /// Use it to simulate a crash. Nil by default: the server reads the whole body. A number below
    /// 1 counts as 1. Bytes are counted as they are read, up to 64 KiB at a time. If the client has
    /// sent more, the connection is reset.
    public var requestBodyByteLimit: Int? {
        get { core.withState { $0.bodyLimit } }
        set { core.withState { $0.bodyLimit = newValue } }
    }

    /// Whether to record requests and connection events.
    ///
    /// True by default.
    ///
    /// If false, a server that answers many thousands of requests uses less memory. Routes still
    /// receive their requests.
    public var recordsRequests: Bool {
        get { core.withState { $0.log.isOn } }
        set { core.withState { $0.log.isOn = newValue } }
    }

    /// Removes the recorded requests and connection events.
    ///
    /// The counts continue.
    public func clearRequests() {
        core.withState { $0.log.clear() }
    }
}

// Waiting for events.
extension MockServer {
    /// Waits until a number of requests have been recorded, or counted without ``MockServer/recordsRequests``.
    ///
    /// - Parameters:
    ///   - count: The number of requests, including earlier ones.
    ///   - timeout: The longest time to wait. Defaults to a minute.
    /// - Returns: The requests so far, which may be more.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``,
    ///   ``MockServerError/stopped(waitingFor:)``, or `CancellationError` if the task is canceled.
    @discardableResult
    public func waitForRequests(
        _ count: Int,
        timeout: Duration = .seconds(60)
    ) async throws -> [RecordedRequest] {
        try await core.wait(for: "\(count) requests", timeout: timeout) { state in
            (state.log.isOn ? state.log.requests.count : state.log.completeCount) >= count
        }
        return requests
    }

    /// Waits until the client has closed or reset a connection.
    ///
    /// - Parameters:
    ///   - connectionID: The number of the connection. Defaults to nil, which means any.
    ///   - timeout: The longest time to wait. Defaults to a minute.
    /// - Returns: The event, with the time when the server noticed it.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``,
    ///   ``MockServerError/stopped(waitingFor:)``, or `CancellationError` if the task is canceled.
    @discardableResult
    public func waitForClientClose(
        of connectionID: Int? = nil,
        timeout: Duration = .seconds(60)
    ) async throws -> ConnectionEvent {
        try await waitForEvent(.clientClosed, on: connectionID, timeout: timeout)
    }

    /// Waits for an event on a connection, unless it has happened already.
    ///
    /// - Parameters:
    ///   - kind: The kind of the event.
    ///   - connectionID: The number of the connection. Defaults to nil, which means any.
    ///   - timeout: The longest time to wait. Defaults to a minute.
    /// - Returns: The first event of that kind since recording started or was cleared.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``,
    ///   ``MockServerError/stopped(waitingFor:)``, or `CancellationError` if the task is canceled.
    @discardableResult
    public func waitForEvent(
        _ kind: ConnectionEvent.Kind,
        on connectionID: Int? = nil,
        timeout: Duration = .seconds(60)
    ) async throws -> ConnectionEvent {
        let event = "\(kind)" + (connectionID.map { " on connection \($0)" } ?? "")
        try await core.wait(for: event, timeout: timeout) { state in
            state.log.firstEvent(kind, on: connectionID) != nil
        }
        guard let found = core.withState({ $0.log.firstEvent(kind, on: connectionID) }) else {
            throw MockServerError.stopped(waitingFor: event)
        }
        return found
    }

    /// Waits until all connections are closed.
    ///
    /// - Parameter timeout: The longest time to wait. Defaults to a minute.
    /// - Throws: ``MockServerError/timedOut(waitingFor:after:)``,
    ///   ``MockServerError/stopped(waitingFor:)``, or `CancellationError` if the task is canceled.
    public func waitUntilDisconnected(timeout: Duration = .seconds(60)) async throws {
        try await core.wait(for: "the last connection to end", timeout: timeout) { state in
            state.connections.isEmpty
        }
    }
}
