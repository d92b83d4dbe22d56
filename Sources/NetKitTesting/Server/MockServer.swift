public import Foundation

/// An HTTP/1.1 server on 127.0.0.1 for tests, which sends prepared responses and records requests.
///
/// Each server has its own port and shares nothing with other servers, so tests can run in
/// parallel. It listens when the initializer returns, and stops when you call ``stop()`` or release
/// it. A route that captures the server keeps it from being released: call ``stop()``, or capture
/// what you need of it, such as its port.
///
/// ```swift
/// let server = try MockServer()
/// server.route("GET", "/users/*") { request in try .json(User(id: request.pathSegments[1])) }
/// server.enqueue(.status(503), .fault(.resetBeforeHead))     // the first two requests fail
/// …
/// let sent = try await server.waitForRequests(3)
/// #expect(sent[2].header("Authorization") == "Bearer t")
/// ```
///
/// Errors are answered with a reason:
///
/// - A request without a queued response or a route gets a 404.
/// - A malformed request gets a 400.
/// - A request whose route throws gets a 500 with the error.
///
/// `Expect: 100-continue` gets a 100. A route runs on its connection's queue, and blocks only that
/// connection. For a slow response, use ``MockResponse/delayed(by:)``, which blocks no thread.
public final class MockServer: Sendable {
    /// The port that the server listens on.
    public let port: Int
    let core: ServerCore
    private let loop: EventLoop

    /// Creates and starts a server.
    ///
    /// - Parameter port: The port on 127.0.0.1. Defaults to 0, which chooses a free port that no earlier
    ///   server of the process had.
    /// - Throws: ``MockServerError/cannotListen(port:reason:)``.
    public init(port: Int = 0) throws {
        core = ServerCore(waker: try Waker())
        let (listener, port) = try Socket.listening(on: port)
        self.port = port
        loop = EventLoop(listener: listener, core: core)
        loop.start()
    }

    deinit {
        stop()
    }

    /// The server's URL, `http://127.0.0.1:` and the port, without a trailing slash.
    public var baseURL: URL { url("") }

    /// Returns the URL of a target on this server.
    ///
    /// - Parameter target: A percent-encoded path with a leading slash, optionally with a query.
    /// - Returns: The URL. Characters that a URL can't contain are percent-encoded.
    public func url(_ target: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)\(target)") ?? URL(fileURLWithPath: target)
    }

    /// Closes the port and all connections, and releases all descriptors before it returns.
    ///
    /// Responses in flight break off, and queued responses and routes are removed. Waiting tests
    /// get ``MockServerError/stopped(waitingFor:)``. A running route finishes, but its response is
    /// discarded. Recorded requests remain. Stopping again has no effect.
    public func stop() {
        let (connections, routes) = core.withState { state in
            defer { state.routes = RouteTable() }
            state.isStopped = true
            state.queue.removeAll()
            return (Array(state.connections.values), state.routes)
        }
        for connection in connections { connection.close() }
        // Released outside of the lock, because routes can capture anything.
        withExtendedLifetime(routes) {}
        core.giveUpWaiting()
        core.waker.wake()
        loop.waitUntilEnded()
    }
}

// Responses.
extension MockServer {
    /// Adds a route that answers requests to a path.
    ///
    /// If several routes match, the one added last answers. A HEAD request without its own route is
    /// answered by the GET route, without the body.
    ///
    /// - Parameters:
    ///   - method: The method. Nil matches every method.
    ///   - path: The path as sent, without a query. `/files/*` matches `/files` and everything
    ///     below it, and `{id}` in `/users/{id}` any segment.
    ///   - respond: A closure that returns the response. An error that it throws becomes a 500 with
    ///     the error's text.
    public func route(
        _ method: String?,
        _ path: String,
        _ respond: @escaping @Sendable (RecordedRequest) throws -> MockResponse
    ) {
        core.withState { state in
            guard !state.isStopped else { return }
            state.routes.add(method, path, respond)
        }
    }

    /// Adds a route that answers requests of every method to a path.
    ///
    /// See ``route(_:_:_:)``.
    public func route(
        _ path: String,
        _ respond: @escaping @Sendable (RecordedRequest) throws -> MockResponse
    ) {
        route(nil, path, respond)
    }

    /// Queues responses, each of which answers one request before any route.
    ///
    /// Responses are sent first in, first out.
    public func enqueue(_ responses: MockResponse...) {
        enqueue(responses)
    }

    /// Queues responses, each of which answers one request before any route.
    ///
    /// Responses are sent first in, first out.
    public func enqueue(_ responses: [MockResponse]) {
        core.withState { state in
            guard !state.isStopped else { return }
            state.queue.append(responses)
        }
    }

    /// Closes the connections that have neither a request nor a response in flight.
    ///
    /// When it returns, the clients' systems have been notified.
    ///
    /// - Returns: The number of closed connections.
    @discardableResult
    public func closeIdleConnections() -> Int {
        let connections = core.withState { Array($0.connections.values) }
        return connections.filter { $0.close(onlyIfIdle: true) }.count
    }
}
